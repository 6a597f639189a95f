import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmissionFile, listSubmissions, uploadSubmission } from '@assay/shared/submissions.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { JobModel } from '../../lib/jobs/job.model.ts'
import type { RunningServer } from '../../start.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  waitForRun,
} from '../../testing/build-course.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/create-test-database.ts'
import { startS3, type TestS3 } from '../../testing/s3-server.ts'
import { createTestApi, startTestServer } from '../../testing/server.ts'

let s3: TestS3
let database: TestDatabase
let dataDir: string
let running: RunningServer
const api = createTestApi(() => running)
const readiness = async () => (await fetch(`${running.url}/readyz`)).status

beforeAll(async () => {
  s3 = await startS3('school/')
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'assay-s3-data-'))
  s3.fail(() => true)
  running = await startTestServer(dataDir, { MONGODB_URL: database.url, ...s3.env })
})
afterEach(() => s3.recover())
afterAll(async () => {
  await running?.stop()
  await database?.drop()
  await s3?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const paperOf = async (full_name: string) => ({
  name: `${full_name}.pdf`,
  bytes: await drawPaper({ full_name }, correctAnswers),
})

it('is ready once the store was reached', async () => {
  s3.fail(() => true)
  expect(await readiness()).toBe(503)
  s3.recover()
  await expect.poll(readiness).toBe(200)
})

it('takes, grades and gives back papers that are in S3 alone', async () => {
  const { instructor } = await buildCourse(api)
  const paper = await paperOf('Ada Lovelace')
  const { assignmentId } = await buildAssignment(api, { instructor }, [paper])
  expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({ graded: 1, failed: 0 })
  const [row] = (await api.as(instructor).send(listSubmissions, { params: { assignmentId } })).body
  const params = { assignmentId, submissionId: row?.id ?? 0 }
  const token = await api.as(instructor).token()
  const path = getSubmissionFile.path
    .replace(':assignmentId', String(params.assignmentId))
    .replace(':submissionId', String(params.submissionId))
  const get = async (headers: Record<string, string>) => {
    const reply = await fetch(`${running.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  expect(await get({})).toEqual({ status: 200, bytes: Buffer.from(paper.bytes) })
  expect(await get({ range: 'bytes=10-99' })).toEqual({
    status: 206,
    bytes: Buffer.from(paper.bytes.subarray(10, 100)),
  })
  expect(existsSync(join(dataDir, 'papers'))).toBe(false)
  expect((await s3.keys()).every((key) => key.startsWith('school/'))).toBe(true)
})

it('refuses papers whole while the store does not answer, and a run waits for it', async () => {
  const { instructor } = await buildCourse(api)
  const { assignmentId } = await buildAssignment(api, { instructor }, [await paperOf('Grace Hopper')])
  s3.fail(() => true)
  const late = await paperOf('Late')
  const upload = () => api.as(instructor).send(uploadSubmission, { params: { assignmentId }, files: { file: [late] } })
  expect(await upload()).toMatchObject({
    status: 503,
    body: {
      error_code: 'paper_store_unreachable',
      message: 'The paper store cannot be reached. Please try again.',
      can_retry: true,
    },
  })
  const rows = async () => (await api.as(instructor).send(listSubmissions, { params: { assignmentId } })).body
  expect(await rows()).toHaveLength(1)

  const started = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body: {} })
  await expect
    .poll(() => JobModel.exists({ error: 'The paper store cannot be reached. Please try again.' }))
    .toBeTruthy()
  expect((await rows()).map(({ status }) => status)).not.toContain('failed')
  s3.recover()
  expect(await upload()).toMatchObject({ status: 201 })
  expect(await waitForRun(api, instructor, assignmentId, started.body.run_id)).toMatchObject({ graded: 1, failed: 0 })
})
