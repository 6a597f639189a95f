import { changeSystemLlm } from '@assay/shared/llm/llm.ts'
import { getRun, processAssignment, retryRun, stopRun } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Grader } from '../../../grader/grader.ts'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { createOfflineGrader } from '../../../grader/offline/offline-grader.ts'
import { defineJob } from '../../../lib/jobs/job.ts'
import { RunModel } from '../../../records/grading/run.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, correctAnswers, waitForRun } from '../../../testing/build-course.ts'
import { buildLlmSettings } from '../../../testing/llm-settings.ts'
import { useTestApi } from '../../../testing/server.ts'

let nextError: ((id: number) => LlmError | null) | null = null
let asked = 0
let before: (n: number) => Promise<void> = async () => {}

function failingGrader(): Grader {
  const offline = createOfflineGrader()
  return {
    ...offline,
    name: 'openai/test',
    async grade(rubric, id, ...more) {
      const n = ++asked
      await before(n)
      const error = nextError?.(id)
      if (error) throw error
      return offline.grade(rubric, id, ...more)
    },
  }
}

/** The server's clock, in ms ahead. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
const { api, server } = useTestApi({ GRADING_CONCURRENCY: '2' }, { grader: failingGrader(), clock })
afterEach(() => {
  nextError = null
  asked = 0
  before = async () => {}
  ahead = 0
})

const probe = defineJob({ name: 'probe', payload: z.object({}), pool: 'cpu', attempts: 1, run: async () => probed() })
let probed = () => {}
/** What was due in the papers' pool is claimed. */
async function queueHasLooked() {
  const { jobs } = server.running.services
  jobs.register(probe)
  const ran = new Promise<void>((resolve) => {
    probed = resolve
  })
  await jobs.add(probe, [{ key: 'probe', group: 'probe', payload: {} }])
  await ran
}

async function buildRun(count = 8) {
  const answerSets = Array.from({ length: count }, () => correctAnswers)
  const { instructor, teacher, assignmentId, submissionIds } = await buildGraded(api, answerSets, { graded: false })
  const started = await teacher.send(processAssignment, { params: { assignmentId } })
  const params = { assignmentId, runId: started.body.run_id }
  const run = async () => (await teacher.send(getRun, { params })).body
  const statuses = async () =>
    (await teacher.send(listSubmissions, { params: { assignmentId } })).body.map((row) => row.status)
  return { instructor, teacher, assignmentId, submissionIds, params, run, statuses }
}

const limited = (retryAfterMs?: number) =>
  new LlmError('rate_limited', 'OpenAI has reached the rate limit of this key.', {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })

describe('a run whose model does not answer', () => {
  it('waits as long as the provider asks, and asks for no other paper meanwhile', async () => {
    nextError = () => limited(600_000)
    const { instructor, teacher, params, run } = await buildRun()
    await expect.poll(async () => (await run()).waiting).not.toBeNull()
    const { waiting, status, failed } = await run()
    expect(waiting).toMatchObject({ reason: 'OpenAI has reached the rate limit of this key.', needs_settings: false })
    const pause = Date.parse(waiting?.retry_at ?? '') - Date.parse(waiting?.since ?? '')
    // Of two that ask at once, the later one counts.
    expect(pause).toBeGreaterThanOrEqual(600_000)
    expect(pause).toBeLessThan(700_000)
    expect({ status, failed }).toEqual({ status: 'grading', failed: 0 })
    ahead = 500_000
    await queueHasLooked()
    expect(asked).toBeLessThanOrEqual(2)

    nextError = null
    const hurried = await teacher.send(retryRun, { params })
    expect(hurried.status).toBe(200)
    const ended = await waitForRun(api, instructor, params.assignmentId, params.runId)
    expect(ended).toMatchObject({ status: 'completed', graded: 8, failed: 0, waiting: null })
    expect(ended.graders).toEqual(['openai/test'])
  })

  it('reports the provider’s error, though a deferred paper was quicker', async () => {
    const refusals = [
      new LlmError('waiting', 'OpenAI has not answered several times.', { retryAfterMs: 60_000 }),
      limited(120_000),
    ]
    nextError = () => refusals.shift() ?? limited(120_000)
    // Both ask before either hears anything, and the vaguer word comes first.
    before = async (n) => {
      await expect.poll(() => asked).toBeGreaterThanOrEqual(2)
      if (n > 1) await expect.poll(() => RunModel.exists({ status: 'grading', waiting: { $ne: null } })).not.toBeNull()
    }
    const { teacher, params, run } = await buildRun(2)
    const reason = async () => (await run()).waiting?.reason
    await expect.poll(reason).toBe('OpenAI has reached the rate limit of this key.')
    await teacher.send(stopRun, { params })
  })

  it('says so when settings must be changed, and can be stopped', async () => {
    nextError = () => new LlmError('key_refused', 'OpenAI does not accept the key.')
    const { teacher, params, run, statuses } = await buildRun(4)
    await expect.poll(async () => (await run()).waiting?.needs_settings).toBe(true)
    const stopped = await teacher.send(stopRun, { params })
    expect(stopped.body).toMatchObject({ status: 'stopped', stopped: 4, waiting: null })
    expect(await statuses()).toEqual(Array(4).fill('uploaded'))
    expect((await teacher.send(retryRun, { params })).body).toMatchObject({ status: 'stopped' })
  })

  it('does not wait again for requests made before Try now was pressed', async () => {
    const refused = new Set<number>()
    nextError = (id) => {
      if (refused.has(id)) return null
      refused.add(id)
      return limited(600_000)
    }
    const { promise: pressing, resolve: pressed } = Promise.withResolvers<void>()
    before = async (n) => {
      await expect.poll(() => asked).toBeGreaterThanOrEqual(2)
      if (n === 2) await pressing
    }
    const { instructor, teacher, assignmentId, params, run } = await buildRun(2)
    await expect.poll(async () => (await run()).waiting).not.toBeNull()
    expect((await teacher.send(retryRun, { params })).status).toBe(200)
    pressed()
    const ended = await waitForRun(api, instructor, assignmentId, params.runId)
    expect(ended).toMatchObject({ graded: 2, failed: 0 })
  })

  it('does not begin to wait for what was refused under settings that were changed meanwhile', async () => {
    let refusals = 1
    nextError = () => (refusals-- > 0 ? new LlmError('key_refused', 'OpenAI does not accept the key.') : null)
    const { promise: saving, resolve: saved } = Promise.withResolvers<void>()
    before = (n) => (n === 1 ? saving : Promise.resolve())
    const { instructor, assignmentId, params } = await buildRun(1)
    await expect.poll(() => asked).toBe(1)
    const admin = api.as(await buildPerson('admin'))
    const body = { ...buildLlmSettings(), course_budget: null, teachers_keys: true }
    expect((await admin.send(changeSystemLlm, { body })).status).toBe(200)
    saved()
    expect(await waitForRun(api, instructor, assignmentId, params.runId)).toMatchObject({
      status: 'completed',
      graded: 1,
      failed: 0,
    })
  })

  it('is taken up by the next process, and waits on until its time', async () => {
    nextError = () => limited(300_000)
    const { instructor, assignmentId, params, run } = await buildRun(3)
    await expect.poll(async () => (await run()).waiting).not.toBeNull()
    nextError = null
    await server.running.services.jobs.stop()
    await server.running.services.jobs.start()
    await server.running.grading.resume()
    await queueHasLooked()
    expect((await run()).waiting?.reason).toMatch('OpenAI')
    expect(asked).toBeLessThanOrEqual(2)
    ahead = 301_000
    expect(await waitForRun(api, instructor, assignmentId, params.runId)).toMatchObject({ graded: 3 })
  })
})

describe('a paper no answer can be had for', () => {
  it('in time fails after some tries, and does not have its run wait for ever', async () => {
    let slow: number | undefined
    nextError = (id) => {
      slow ??= id
      return id === slow ? new LlmError('timeout', 'No answer within 120 s.', { retryAfterMs: 100 }) : null
    }
    const { instructor, assignmentId, params } = await buildRun(6)
    const ended = await waitForRun(api, instructor, assignmentId, params.runId)
    expect(ended).toMatchObject({ status: 'completed', graded: 5, failed: 1, waiting: null })
    const failed = await SubmissionModel.findById(slow).lean()
    expect(failed?.failure).toEqual({ code: 'timeout', message: 'No answer within 120 s.' })
  })
})
