import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { registerInstructor } from '@assay/shared/auth.ts'
import { getRun, processAssignment, tryRunNow } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeModel } from '../../../../tests/fake-model/fake-model.ts'
import { apiOf, type Person } from '../../testing/api.ts'
import { drawPaper, quizFiles } from '../../testing/build.ts'
import { type ServerProcess, startProcess } from '../../testing/process.ts'

const PAPERS = 24
const KILLS = 3
const AT_ONCE = 4

// A provider that knows an idempotency key again bills nobody twice; that nothing stored is asked again is ours to see to.
const fake = await startFakeModel({ idempotency: true, latencyMs: 250 })
const environment = {
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'fake-1',
  AI_BASE_URL: fake.address('openai-compatible'),
  AI_PRICE_INPUT: '1000',
  AI_PRICE_OUTPUT: '1000',
  AI_CONCURRENCY: String(AT_ONCE),
  AI_PICTURES: 'off',
}

let dataDir = ''
let process: ServerProcess
const api = apiOf({
  get running() {
    return process
  },
})
const restart = async () => {
  await process.kill()
  process = await startProcess(dataDir, environment)
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-model-crash-'))
  process = await startProcess(dataDir, environment)
})
afterAll(async () => {
  await process.stop()
  await fake.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function register(username: string): Promise<Person> {
  const password = 'Some-Good-7-Phrase'
  const body = { username, password, email: `${username}@school.example`, role: 'instructor' as const }
  const { body: user } = await api.nobody.send(registerInstructor, { body })
  return { id: user.id, username, password }
}

async function begin(username: string, count: number) {
  const teacher = api.as(await register(username))
  const { blank, key } = await quizFiles()
  const papers = await Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      name: `paper-${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, [
        `Ice is less dense than water, as ${username} measured ${i + 3} times.`,
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

it('is killed three times while a model grades, and pays for no paper twice', async () => {
  const { teacher, params, run } = await begin('killed', PAPERS)
  const stored = new Set<string>()
  for (let kill = 1; kill <= KILLS; kill++) {
    const aim = Math.round((PAPERS * kill) / (KILLS + 2))
    await expect
      .poll(async () => (await run()).graded, { timeout: 90_000, interval: 30 })
      .toBeGreaterThanOrEqual(aim)
    expect((await run()).finished_at).toBeNull()
    // What was answered well before the kill is stored by now.
    const before = Date.now() - 2000
    for (const { prompt, status, at } of fake.requests) if (status === 200 && at < before) stored.add(prompt)
    const asked = fake.requests.length
    await restart()
    for (const { prompt } of fake.requests.slice(asked)) expect(stored.has(prompt)).toBe(false)
  }
  await expect.poll(async () => (await run()).status, { timeout: 90_000, interval: 100 }).toBe('completed')
  const ended = await run()
  expect(ended).toMatchObject({ total: PAPERS, graded: PAPERS, failed: 0, stopped: 0 })
  expect(fake.records.billedTwice()).toEqual([])
  expect(fake.records.counts().billed).toBe(PAPERS)
  // Only what was in flight when the process died is asked for again.
  expect(fake.requests.length).toBeLessThanOrEqual(PAPERS + KILLS * AT_ONCE)
  const { assignmentId } = params
  const rows = await teacher.send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
  expect(rows.body.map(({ status }) => status)).toEqual(Array(PAPERS).fill('graded'))
}, 300_000)

it('is killed while a run waits for its model, and waits on', async () => {
  fake.reset()
  fake.script({ do: 'error', status: 429, headers: { 'retry-after': '300' }, times: AT_ONCE })
  const { teacher, params, run } = await begin('waiting', 6)
  await expect.poll(async () => (await run()).waiting?.reason, { timeout: 90_000 }).toMatch(/takes no more/)
  const { waiting } = await run()
  await restart()
  expect((await run()).waiting).toMatchObject({ reason: waiting?.reason, since: waiting?.since })
  const asked = fake.requests.length
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(fake.requests.length).toBe(asked)
  fake.reset()
  await teacher.send(tryRunNow, { params })
  await expect.poll(async () => (await run()).status, { timeout: 90_000 }).toBe('completed')
  expect(await run()).toMatchObject({ graded: 6, failed: 0, waiting: null })
  expect(fake.records.billedTwice()).toEqual([])
}, 200_000)
