import { getSystemLlm } from '@assay/shared/llm/llm.ts'
import type { mongo } from 'mongoose'
import { expect, it } from 'vitest'
import { lastSelfTest, presentSelfTest } from '../features/lti/platforms/self-test/self-test.ts'
import { LlmCallModel } from '../records/llm/llm-call.model.ts'
import { LlmTotalsModel } from '../records/llm/llm-totals.model.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { AnswersModel } from '../records/submissions/answers.model.ts'
import { buildPerson } from '../testing/build-course.ts'
import { createTestApi, startTestServer } from '../testing/server.ts'
import { useStoredData } from '../testing/stored-data.ts'
import { renameLlmRecords } from './0002-rename-llm-records.ts'

const data = useStoredData()

const at = new Date()
const extracted = { answers: [], warnings: [], name_on_paper: 'Ada' }
const values = { provider: 'openai-compatible', model: 'small-llm', base_url: 'http://127.0.0.1:1/v1' }
const inTheFuture = new Date(at.getTime() + 60 * 60 * 1000)
const jobRow = { group: 'run:5', payload: {}, status: 'queued', run_at: inTheFuture, attempts: 0, claims: 0 }

async function writeOldData(db: mongo.Db): Promise<void> {
  const insert = (name: string, ...docs: Record<string, unknown>[]) =>
    db.collection(name).insertMany(docs as mongo.OptionalId<mongo.Document>[])
  await insert('model_settings', { _id: 'system', course_id: null, values, key_sealed: null, key_ends: null })
  await insert('model_calls', {
    _id: 41,
    identity: 'one',
    month: '2026-03',
    at,
    paid: true,
    outcome: 'failed',
    trouble: 'refused',
  })
  await insert('model_sums', { _id: 'total', month: '2026-03', calls: 7 })
  await insert('counters', { _id: 'model_calls', value: 41 })
  await insert('answers', {
    _id: 31,
    assignment_id: 7,
    rubric_version: 1,
    file_hash: 'h',
    laid: extracted,
    as_read: null,
  })
  await insert('runs', { _id: 5, assignment_id: 7, status: 'stopped', asks_model: true })
  await insert(
    'run_papers',
    { _id: '5/31', run_id: 5, submission_id: 31, state: 'stopped', trouble: { times: 2, graded: 4 } },
    { _id: '5/32', run_id: 5, submission_id: 32, state: 'stopped' },
  )
  await insert(
    'lti_contexts',
    { _id: 1, platform_id: 1, deployment_id: '1', context_id: 'a', sync: { page: 3, fruitless: 2, believe: true } },
    { _id: 2, platform_id: 1, deployment_id: '1', context_id: 'b', sync: null },
  )
  await insert('lti_self_tests', {
    _id: 1,
    platform_id: 1,
    state: 'done',
    started_at: at,
    finished_at: at,
    checks: [
      { name: 'clock', state: 'warn', said: 'Behind.', mend: 'Use NTP.', parts: [{ state: 'ok', said: 'One.' }] },
    ],
  })
  await insert(
    'jobs',
    { ...jobRow, _id: 'lay-again:5/31', name: 'lay-again' },
    { ...jobRow, _id: 'mail:1', name: 'mail' },
  )
  await insert('failed_jobs', { name: 'grade-paper-by-model', error: 'it failed', at })
}

it('opens what the version before stored about LLMs, answers, runs, syncs, self-tests and jobs', async () => {
  await data.withDatabase(async (db) => {
    await writeOldData(db)
    // Twice, as after a crash before it was recorded.
    await renameLlmRecords(db)
    await renameLlmRecords(db)
    const jobs = await db.collection('jobs').find().sort({ _id: 1 }).toArray()
    expect(jobs).toEqual([
      { ...jobRow, _id: 'mail:1', name: 'mail' },
      { ...jobRow, _id: 'reextract-answers:5/31', name: 'reextract-answers' },
    ])
    expect(await db.collection('failed_jobs').find().toArray()).toMatchObject([{ name: 'grade-paper-by-llm' }])
    const names = (await db.listCollections().toArray()).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('model_'))).toEqual([])
    expect(await db.collection('counters').find().toArray()).toEqual([{ _id: 'llm_calls', value: 41 }])
    expect(await db.collection('runs').findOne()).toMatchObject({ uses_llm: true })
    expect(await db.collection('run_papers').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: '5/31', run_id: 5, submission_id: 31, state: 'stopped', timeouts: { count: 2, graded: 4 } },
      { _id: '5/32', run_id: 5, submission_id: 32, state: 'stopped' },
    ])
  })

  const running = await startTestServer(data.dataDir)
  const admin = createTestApi({ running }).as(await buildPerson('admin'))
  expect((await admin.send(getSystemLlm)).body.settings).toMatchObject(values)
  expect(await LlmCallModel.findById(41).lean()).toMatchObject({ identity: 'one', error_code: 'refused' })
  expect(await LlmTotalsModel.findOne({ calls: 7 }).lean()).toMatchObject({ month: '2026-03' })
  expect(await AnswersModel.findById(31).lean()).toMatchObject({ extracted, as_read: null })
  expect(await LtiContextModel.find().sort({ _id: 1 }).lean()).toMatchObject([
    { sync: { page: 3, pages_without_new: 2, accept_short_list: true } },
    { sync: null },
  ])
  const test = await lastSelfTest(1)
  expect(test && presentSelfTest(test).checks).toEqual([
    { name: 'clock', state: 'warn', message: 'Behind.', fix: 'Use NTP.', parts: [{ state: 'ok', message: 'One.' }] },
  ])
  await running.stop()
})
