import { createAssignment } from '@assay/shared/assignments.ts'
import { getRun, processAssignment, retryRun } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { beforeEach, expect, it } from 'vitest'
import { drawPaper, quizFiles } from '../../testing/build-course.ts'
import { useLlmGradedProcess } from '../../testing/llm-graded-process.ts'

const PAPERS = 24
const KILLS = 3
const AT_ONCE = 4

const product = useLlmGradedProcess({}, { AI_CONCURRENCY: String(AT_ONCE), AI_PICTURES: 'off' })
beforeEach(() => {
  product.fake.reset()
  Object.assign(product.fake.settings, { idempotency: false, latencyMs: 0 })
})

const sayOf = (i: number) => `measured ${i + 3} times`

async function begin(username: string, count: number) {
  const teacher = product.api.as(await product.register(username))
  const { blank, key } = await quizFiles()
  const papers = await Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      name: `paper-${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, [
        `Ice is less dense than water, as ${username} ${sayOf(i)}.`,
        'B',
        '144',
      ]),
    })),
  )
  const created = await teacher.send(createAssignment, {
    body: { name: username },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
  })
  const assignmentId = created.body.id
  const started = await teacher.send(processAssignment, { params: { assignmentId } })
  const params = { assignmentId, runId: started.body.run_id }
  return { teacher, params, run: async () => (await teacher.send(getRun, { params })).body }
}

async function seeAllGraded({ teacher, params, run }: Awaited<ReturnType<typeof begin>>) {
  await expect.poll(async () => (await run()).status, { interval: 100 }).toBe('completed')
  expect(await run()).toMatchObject({ total: PAPERS, graded: PAPERS, failed: 0, stopped: 0 })
  const { assignmentId } = params
  const rows = await teacher.send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
  expect(rows.body.map(({ status }) => status)).toEqual(Array(PAPERS).fill('graded'))
}

it('is killed three times with answers that only the ledger has, and asks for none of them again', async () => {
  // Of a provider without idempotency keys: what is asked twice is paid twice.
  const { fake } = product
  const some = Array.from({ length: KILLS * AT_ONCE }, (_, i) => `halfway ${sayOf(i)}`)
  product.stallRetries(...some)
  const grading = await begin('halfway', PAPERS)
  let stored = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    await expect.poll(() => product.countStalled()).toBe(AT_ONCE)
    expect((await grading.run()).finished_at).toBeNull()
    const before = stored
    stored = await product.killAndRestart()
    // Among them one bad answer for each question that hung.
    expect(stored - before).toBeGreaterThanOrEqual(AT_ONCE)
  }
  await seeAllGraded(grading)
  expect(product.repeatedRequests()).toEqual([])
  expect(fake.records.billedTwice()).toEqual([])
  expect(fake.records.counts().billed).toBe(PAPERS + KILLS * AT_ONCE)
}, 300_000)

it('is killed while a run waits for its model, and waits on', async () => {
  const { fake } = product
  fake.script({ do: 'error', status: 429, headers: { 'retry-after': '300' }, times: AT_ONCE })
  const { teacher, params, run } = await begin('waiting', 6)
  await expect.poll(async () => (await run()).waiting?.reason).toMatch(/rate limit/)
  const { waiting } = await run()
  await product.killAndRestart()
  expect((await run()).waiting).toMatchObject({ reason: waiting?.reason, since: waiting?.since })
  const countRequests = () => fake.requests.filter(({ asked }) => /waiting measured/.test(asked.texts.join(''))).length
  const asked = countRequests()
  expect(asked).toBeGreaterThan(0)
  // The queue goes on, as a later run shows.
  const later = await begin('later', 1)
  const stateOfLater = async () => {
    const { status, waiting } = await later.run()
    return waiting ? 'waiting' : status
  }
  await expect.poll(stateOfLater).toMatch(/waiting|completed/)
  expect(countRequests()).toBe(asked)
  fake.reset()
  await teacher.send(retryRun, { params })
  await expect.poll(async () => (await run()).status).toBe('completed')
  expect(await run()).toMatchObject({ graded: 6, failed: 0, waiting: null })
  expect(fake.records.billedTwice()).toEqual([])
})
