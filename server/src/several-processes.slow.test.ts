import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { createAssignment } from '@assay/shared/assignments.ts'
import { getMe, registerInstructor } from '@assay/shared/auth.ts'
import { getRun, processAssignment, stopRun } from '@assay/shared/runs.ts'
import { listSubmissions, uploadSubmissions } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobRow } from './lib/jobs/job.model.ts'
import { migrationNames } from './migrations/migrations.ts'
import type { SubmissionDoc } from './records/submissions/submission.model.ts'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from './testing/build-course.ts'
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.ts'
import { type Caller, createTestApi, type Person } from './testing/server.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'

const PAPERS = 24
const OLD_COUNTERS = 1500
const METRICS_TOKEN = 'a-token-for-metrics-of-forty-characters'

let dataDir = ''
let database: TestDatabase
let connection: mongoose.Connection
const processes: ServerProcess[] = []
let webA: ServerProcess
let webB: ServerProcess

const start = async (role: 'web' | 'worker', environment: Record<string, string> = {}) => {
  const started = await startServerProcess(dataDir, {
    ROLE: role,
    MONGODB_URL: database.url,
    SECRET_KEY: 'the same secret key on every machine',
    READING_PROCESSES: '1',
    GRADING_CONCURRENCY: '2',
    METRICS_TOKEN,
    ...environment,
  })
  processes.push(started)
  return started
}

const stored = <T extends mongoose.mongo.Document>(name: string) => connection.collection<T>(name)
const jobsThatRun = () => stored<JobRow>('jobs').find({ status: 'running' }).toArray()
const pidOf = ({ owner }: JobRow) => Number(owner?.split('/')[1])

/** In ms. */
const STEP_MS = 20

async function holdWorkersOnce<T>(find: () => Promise<T | undefined>, use: (found: T) => Promise<void>): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const { child } of workers) child.kill(name)
  }
  try {
    for (;;) {
      signal('SIGSTOP')
      const found = await find()
      if (found !== undefined) return await use(found)
      signal('SIGCONT')
      await after(STEP_MS)
    }
  } finally {
    signal('SIGCONT')
  }
}

async function writeOldData(): Promise<void> {
  const counters = Array.from({ length: OLD_COUNTERS }, (_, i) => ({
    _id: `assignment/${i}`,
    begun: 7,
    ended: i % 2 ? 7 : 6,
  }))
  await stored<{ _id: string; begun: number; ended: number }>('analytics_changes').insertMany(counters)
}

let workers: ServerProcess[] = []
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-several-'))
  database = await createTestDatabase()
  connection = await mongoose.createConnection(database.url).asPromise()
  await writeOldData()
  const [a, b, ...others] = await Promise.all([start('web'), start('web'), start('worker'), start('worker')])
  webA = a
  webB = b
  workers = others
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()))
  await connection.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const callers = new Map<ServerProcess, Caller>()
let teacher: Person
function as(process: ServerProcess): Caller {
  const known = callers.get(process) ?? createTestApi({ running: process }).as(teacher)
  callers.set(process, known)
  return known
}

it('changes an older version’s data in one of the processes that start together, while the others wait', async () => {
  const changes = processes.map((one) => one.output().split('changing what an earlier version stored').length - 1)
  expect(changes.sort()).toEqual([0, 0, 0, migrationNames().length])
  const counters = await stored<{ _id: string; version: number }>('analytics_changes').find().sort({ _id: 1 }).toArray()
  expect(counters).toHaveLength(OLD_COUNTERS)
  expect(counters.slice(0, 2)).toEqual([
    { _id: 'assignment/0', version: 8, open: [] },
    { _id: 'assignment/1', version: 7, open: [] },
  ])
})

it('has one first administrator, and a worker that serves nothing but what operators ask', async () => {
  expect(await stored('users').countDocuments()).toBe(1)
  const worker = workers[0]?.url
  const status = async (path: string, headers = {}) => (await fetch(`${worker}${path}`, { headers })).status
  expect(await Promise.all(['/healthz', '/readyz', '/api/v1/openapi.json', '/'].map((path) => status(path)))).toEqual([
    200, 200, 404, 404,
  ])
  const bearer = { authorization: `Bearer ${METRICS_TOKEN}` }
  expect(await (await fetch(`${worker}/metrics`, { headers: bearer })).text()).toContain('role="worker"')
})

describe('a class', () => {
  let assignmentId = 0
  const progress = async (from: ServerProcess, runId: number) =>
    (await as(from).send(getRun, { params: { assignmentId, runId } })).body
  const submissions = () => stored<SubmissionDoc>('submissions').find({ assignment_id: assignmentId }).toArray()
  const begin = async (web: ServerProcess) =>
    (await as(web).send(processAssignment, { params: { assignmentId } })).body.run_id

  it('uploaded by one web is graded by the workers, and stopped by another web', async () => {
    const [username, password] = ['several', 'Some-Good-7-Phrase']
    const body = { username, password, email: 'several@school.example', role: 'instructor' as const }
    const registered = await createTestApi({ running: webA }).nobody.send(registerInstructor, { body })
    teacher = { id: registered.body.id, username, password }
    const { blank, key } = await quizFiles()
    const papers = await Promise.all(
      Array.from({ length: PAPERS }, async (_, i) => ({
        name: `paper-${i}.pdf`,
        bytes: await drawPaper({ full_name: `Student ${i}` }, i % 3 ? correctAnswers : weakAnswers),
      })),
    )
    const created = await as(webA).send(createAssignment, {
      body: { name: 'Shared' },
      files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
    })
    assignmentId = created.body.id
    const runId = await begin(webA)
    const working = new Set(workers.map(({ child }) => child.pid))
    const someAreRead = async () => {
      for (const job of await jobsThatRun()) expect(working).toContain(pidOf(job))
      const { read, finished_at } = await progress(webB, runId)
      expect(finished_at).toBeNull()
      return read > 2 ? read : undefined
    }
    await holdWorkersOnce(someAreRead, async (read) => {
      expect(read).toBeLessThan(PAPERS)
      const stopped = await as(webB).send(stopRun, { params: { assignmentId, runId } })
      expect(stopped.body.status).toBe('stopped')
      expect((await progress(webA, runId)).status).toBe('stopped')
      expect(await jobsThatRun()).toEqual([])
    })
    await expect.poll(jobsThatRun).toEqual([])
    const rows = await as(webA).send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
    expect(rows.body.filter(({ status }) => ['queued', 'reading', 'grading'].includes(status))).toEqual([])
    expect(rows.body).toHaveLength(PAPERS)
  })

  it('is graded on after a worker was killed, nothing twice', async () => {
    const runId = await begin(webB)
    const busyWorker = async () => {
      const { graded, finished_at } = await progress(webA, runId)
      expect(finished_at).toBeNull()
      const pids = new Set((await jobsThatRun()).map(pidOf))
      return graded > 0 ? workers.find(({ child }) => pids.has(child.pid ?? 0)) : undefined
    }
    await holdWorkersOnce(busyWorker, (worker) => worker.kill())
    await expect.poll(async () => (await progress(webA, runId)).status, { interval: 100 }).toBe('completed')
    expect(await progress(webB, runId)).toMatchObject({ failed: 0, stopped: 0, total: PAPERS, graded: PAPERS })
    const graded = await submissions()
    expect(graded.map(({ grade }) => grade?.times_graded)).toEqual(Array(PAPERS).fill(1))
    const inUse = new Set(graded.map(({ grade }) => grade?.id))
    const details = await stored<{ _id: number }>('grade_details').find().toArray()
    expect(details.filter(({ _id }) => inUse.has(_id))).toHaveLength(PAPERS)
    await expect.poll(() => stored('processes').countDocuments()).toBe(3)
    await expect.poll(() => stored('jobs').countDocuments({ group: `run:${runId}` })).toBe(0)
  })

  it('has an upload go on while another process starts, and refuses one that would keep papers elsewhere', async () => {
    const upload = await as(webA).startUpload(uploadSubmissions, { assignmentId }, 'files')
    upload.body.write(await drawPaper({ full_name: 'Late' }, correctAnswers))
    const files = async () =>
      (await readdir(join(dataDir, 'uploads'), { recursive: true })).filter((name) => name.includes('/'))
    await expect.poll(files).toHaveLength(1)

    const elsewhere = await mkdtemp(join(tmpdir(), 'assay-elsewhere-'))
    const [started, otherFolder, otherSecret] = await Promise.allSettled([
      start('worker'),
      start('web', { DATA_DIR: elsewhere }),
      start('web', { SECRET_KEY: 'another secret key than the others have' }),
    ])
    await rm(elsewhere, { recursive: true })
    expect(started.status).toBe('fulfilled')
    expect(otherFolder).toMatchObject({
      reason: { message: expect.stringMatching(/^DATA_DIR: the w.* has another one/m) },
    })
    expect(otherSecret).toMatchObject({
      reason: { message: expect.stringMatching(/^SECRET_KEY: the w.* has another one/m) },
    })

    upload.finish()
    expect((await upload.reply).status).toBe(201)
    await expect.poll(files).toEqual([])
    expect((await as(webB).send(getMe)).body.username).toBe('several')
  })
})
