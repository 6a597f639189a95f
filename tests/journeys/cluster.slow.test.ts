import { setTimeout as after } from 'node:timers/promises'
import { createAssignment } from '@assay/shared/assignments.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import type { Frame } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SubmissionDoc } from '../../server/src/records/submissions/submission.model.ts'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from '../../server/src/testing/build-course.ts'
import { chooseFakeLlm } from '../bench/class-for-slow-llm.ts'
import { type FakeLlm, startFakeLlm } from '../fake-llm/fake-llm.ts'
import { gradeOnePaper } from './support/class-with-papers.ts'
import { openLink, useSchool, waitForFrameAncestors } from './support/lms-workflow.ts'
import { firstAdmin, registerPerson, useOwnProduct } from './support/product.ts'
import { clusterParts, startCluster } from './support/product-cluster.ts'

const product = useOwnProduct({}, startCluster)
const school = useSchool({ kind: 'canvas' }, product)
/** More by hand: `CLUSTER_PAPERS=500 CLUSTER_LAUNCHES=200 CLUSTER_AWAY_SECONDS=20`. */
const PAPERS = Number(process.env.CLUSTER_PAPERS ?? 60)
const LAUNCHES = Number(process.env.CLUSTER_LAUNCHES ?? 6)
/** For how long Redis is away and S3 fails. */
const AWAY_MS = 1000 * Number(process.env.CLUSTER_AWAY_SECONDS ?? 3)

it('Cluster: passes an upload and live rows, whichever process answers', async () => {
  await gradeOnePaper(product)
})

async function launch(number: number): Promise<Frame> {
  const { course, teacher } = school.lms.classOf(1)
  const title = `Quiz ${number}`
  const link = school.lms.addLink(course, { deployment: school.deployment, title, scoreMaximum: 20 })
  const { page, context } = await school.open('partitioned')
  const frame = await openLink(school, page, teacher, link)
  const opened = frame.getByRole('heading', { level: 1, name: `Set up “${title}”` }).waitFor()
  await opened.catch(async (cause: unknown) => {
    const shown = await frame.locator('body').textContent()
    throw new Error(`The launch of ${title} ended at ${frame.url()}, which shows “${shown}”`, { cause })
  })
  await context.close()
  return frame
}

let llm: FakeLlm
beforeAll(async () => {
  llm = await startFakeLlm({ idempotency: true })
})
afterAll(() => llm.stop())

/** Each process is killed, then Redis and the database go away. */
const FAULTS = clusterParts.length + 2
const READ_BEFORE = 10

it('Cluster: grades a class once and opens launches although each process is killed, Redis and the database are away and S3 fails', async () => {
  await waitForFrameAncestors(product, school)
  const teacher = await registerPerson(product.api, 'instructor', 'rosalind', 'Rosalind Franklin')
  const caller = product.api.as(teacher)
  const { blank, key } = await quizFiles()
  const papers = await Promise.all(
    Array.from({ length: PAPERS }, async (_, i) => {
      const [first = '', ...others] = i % 3 ? correctAnswers : weakAnswers
      // The LLM would be asked once about equal answers.
      const answers = [`${first} I saw it in experiment ${1000 + i}.`, ...others]
      return { name: `paper-${i}.pdf`, bytes: await drawPaper({ full_name: `Student ${i}` }, answers) }
    }),
  )
  const { body } = await caller.send(createAssignment, {
    body: { name: 'A stormy day' },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
  })
  const params = { assignmentId: body.id }
  await chooseFakeLlm(product.api, await firstAdmin(product), llm.url, 4)
  const { page } = await product.openAs(teacher)
  await page.goto(`/assignments/${body.id}/submissions`)
  await page.getByText(`Submissions (${PAPERS})`).waitFor()
  let read = 0
  product.server.s3.fail((method) => method === 'GET' && ++read > READ_BEFORE)
  const run = (await caller.send(processAssignment, { params })).body.run_id
  /** Null where no process could answer, which a browser would ask again for. */
  const progress = async () => {
    const reply = await caller.send(getRun, { params: { ...params, runId: run } }).catch(() => null)
    return reply?.status === 200 ? reply.body : null
  }

  let faults = 0
  /** Keeps answers back, so that a fault comes while papers are under way. */
  const gradeMore = async () => {
    const wanted = (PAPERS * faults++) / (FAULTS + 1)
    // What a killed process was sent counts for nothing, so a few answers each time.
    for (;;) {
      const graded = (await progress())?.graded
      if (graded !== undefined && graded > wanted) break
      if (graded !== undefined) llm.resume(2)
      await after(20)
    }
    llm.hold()
    await expect.poll(() => llm.records.concurrent).toBeGreaterThan(0)
  }
  /** Not so many that nothing is left for the next fault. */
  const gradeSome = () => llm.resume(Math.floor(PAPERS / FAULTS / 2))
  let launches = 0
  const launchSome = async () => {
    for (let i = 0; i < LAUNCHES / 6; i++) await launch(launches++)
  }
  await expect.poll(() => read).toBeGreaterThan(READ_BEFORE)
  await after(AWAY_MS)
  product.server.s3.recover()
  for (const part of clusterParts) {
    await gradeMore()
    await product.server.kill(part)
    // Whoever waits for it meanwhile waits for the other.
    if (part !== 'gateway') await launchSome()
    await product.server.startAgain(part)
  }
  await gradeMore()
  await product.server.redis.kill()
  gradeSome()
  await Promise.all([launchSome(), after(AWAY_MS)])
  await product.server.redis.start()
  await gradeMore()
  gradeSome()
  await product.server.restartDatabase()
  await launchSome()
  llm.resume()

  await expect.poll(async () => (await progress())?.status, { interval: 500, timeout: 240_000 }).toBe('completed')
  expect(await progress()).toMatchObject({ total: PAPERS, graded: PAPERS, failed: 0, stopped: 0 })
  const rows = await caller.send(listSubmissions, { params, query: { limit: 500 } })
  expect(rows.body.map(({ status }) => status)).toEqual(Array(PAPERS).fill('graded'))
  // The page has heard of it all, without being loaded again.
  await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden' })
  const rowsThat = (say: RegExp) => page.getByRole('row').filter({ hasText: say }).count()
  await expect.poll(() => rowsThat(/Queued|Reading|Grading|Waiting/)).toBe(0)
  expect(await rowsThat(/Suggested|Flagged/)).toBeGreaterThan(20)
  // Tried while the gateway was away.
  const retries = /^console: WebSocket connection to .* failed/
  expect(product.browserErrors.filter((error) => !retries.test(error))).toEqual([])

  const connection = await mongoose.createConnection(product.server.databaseUrl).asPromise()
  try {
    const stored = await connection.collection<SubmissionDoc>('submissions').find({ assignment_id: body.id }).toArray()
    expect(stored.map(({ grade }) => grade?.times_graded)).toEqual(Array(PAPERS).fill(1))
    expect(llm.records.billedTwice()).toEqual([])
    await expect.poll(() => connection.collection('jobs').countDocuments({ group: `run:${run}` })).toBe(0)
  } finally {
    await connection.close()
  }
}, 900_000)
