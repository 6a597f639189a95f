import { changeCourseLlm, getCourseLlm, getSystemLlm, getSystemLlmUsage } from '@assay/shared/llm/llm.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { LlmAnswerModel, LlmCallModel, monthOf } from '../../../records/llm/llm-call.model.ts'
import { LlmSettingsModel } from '../../../records/llm/llm-settings.model.ts'
import { LlmBudgetModel, LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import { buildCourse, buildPerson } from '../../../testing/build-course.ts'
import { chooseFakeLlm, fakeLlmSettings, smallLlmRequest, useFakeLlm } from '../../../testing/llm-settings.ts'
import { type Caller, type Person, useTestApi } from '../../../testing/server.ts'
import { fairShareKey } from '../concurrency-limits.ts'
import type { ChosenLlm, LlmCallContext } from '../llm-service.ts'
import { spentFromBudget } from './llm-budgets.ts'
import { reconcileAbandonedCalls } from './llm-call-ledger.ts'

// In the future: sessions and leases must not have expired by the real clock.
const now = new Date('2096-11-20T12:00:00Z')
const clock = { now: () => new Date(now) }
const { api, server } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' }, { clock })
const fake = useFakeLlm()
let admin: Caller
let teacher: Person
let courseId = 0
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
  const course = await buildCourse(api, { students: 0 })
  teacher = course.instructor
  courseId = course.courseId
})
beforeEach(async () => {
  now.setTime(Date.parse('2096-11-20T12:00:00Z'))
  await LlmBudgetModel.deleteMany({})
  await LlmCallModel.deleteMany({})
  await LlmAnswerModel.deleteMany({})
  await LlmTotalsModel.deleteMany({})
  await LlmSettingsModel.deleteMany({})
})

const set = (more: Parameters<typeof chooseFakeLlm>[2]) => chooseFakeLlm(admin, fake, more)
const about = (): LlmCallContext => ({ course_id: courseId, assignment_id: 1, run_id: 1 })

/** Returns each outcome: `answered`, or the error's code. */
async function askMany(count: number, of: LlmCallContext = about()): Promise<string[]> {
  const { llm } = server.running.services
  const model = await llm.chosenFor(of.course_id)
  if (!model) throw new Error('no model')
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      llm
        .clientFor(model, { ...of, submission_id: i + 1 })(smallLlmRequest)
        .then(
          () => 'answered',
          (error: unknown) => (error instanceof LlmError ? error.code : String(error)),
        ),
    ),
  )
}
const spent = () => spentFromBudget('system', monthOf(now))
async function costOfOne(): Promise<number> {
  await askMany(1, { ...about(), run_id: 999 })
  const cost = await spent()
  await LlmBudgetModel.deleteMany({})
  return cost
}

describe('a budget', () => {
  it('is not exceeded by concurrent requests, and is used as far as it covers a request', async () => {
    await set({ at_once: 20 })
    const one = await costOfOne()
    expect(one).toBeGreaterThan(0)
    // A request reserves the most its response may cost, so there is room for one beside ten.
    const { held } = (await LlmCallModel.findOne().lean()) ?? { held: 0 }
    const budget = one * 10 + held
    await set({ at_once: 20, monthly_budget: budget })
    fake.settings.latencyMs = 30
    fake.reset()
    const came = await askMany(40)
    const answered = came.filter((what) => what === 'answered').length
    expect(answered).toBeGreaterThanOrEqual(10)
    expect(answered).toBeLessThan(40)
    expect(came.filter((what) => what === 'budget').length).toBe(40 - answered)
    expect(await spent()).toBeCloseTo(answered * one, 6)
    expect(await spent()).toBeLessThanOrEqual(budget + 1e-9)
    expect(fake.requests.length).toBe(answered)
    const doc = await LlmBudgetModel.findById('2096-11/system').lean()
    expect(doc?.committed).toBeCloseTo(doc?.spent ?? 0, 9)
  })

  it('says what is spent, what is left, and who can raise it; and is renewed each month', async () => {
    await set({ monthly_budget: 0.001 })
    const { llm } = server.running.services
    const model = await llm.chosenFor(courseId)
    if (!model) throw new Error('no model')
    const refused: unknown = await llm
      .clientFor(
        model,
        about(),
      )(smallLlmRequest)
      .catch((error) => error)
    expect(refused).toMatchObject({ code: 'budget', scope: 'budget' })
    expect(String(refused)).toMatch(/\$0\.0000 of \$0\.0010 spent.*administrator can raise it/s)
    expect(await llm.remainingBudget(model, courseId)).toBeCloseTo(0.001, 9)
    expect(fake.requests).toEqual([])
    await set({ monthly_budget: 1 })
    expect(await askMany(1)).toEqual(['answered'])
    const november = await spent()
    await set({ monthly_budget: november / 2 })
    const over = await llm
      .clientFor(model, { course_id: courseId })(smallLlmRequest)
      .catch((error) => error)
    // Nothing is left, so the message mentions no next request.
    expect(String(over)).toMatch(/\$\d\.\d+ of \$\d\.\d+ spent\. An administrator/)
    now.setTime(Date.parse('2096-12-01T00:00:00Z'))
    expect(await spent()).toBe(0)
    expect(november).toBeGreaterThan(0)
  })

  it('of a course limits that course’s share of the system’s alone', async () => {
    await set({})
    await costOfOne()
    const { held } = (await LlmCallModel.findOne().lean()) ?? { held: 0 }
    await set({ course_budget: held })
    expect(await askMany(1)).toEqual(['answered'])
    expect(await askMany(1, { ...about(), run_id: 2 })).toEqual(['budget'])
    expect(await askMany(1, { ...about(), course_id: courseId + 1, run_id: 3 })).toEqual(['answered'])
  })

  it('of a course’s own key is separate: the system’s is unchanged', async () => {
    await set({ monthly_budget: 0 })
    const body = fakeLlmSettings(fake, { monthly_budget: 5, api_key: 'sk-the-course-key' })
    const own = await api.as(teacher).send(changeCourseLlm, { params: { courseId }, body })
    expect(own.status).toBe(200)
    expect(await askMany(2)).toEqual(['answered', 'answered'])
    expect(await spent()).toBe(0)
    const shown = await api.as(teacher).send(getCourseLlm, { params: { courseId } })
    expect(shown.body.own?.month).toMatchObject({ budget: 5, enforceable: true })
    expect(shown.body.own?.month.spent).toBeGreaterThan(0)
  })

  it('is not enforced without a price: tokens are counted, dollars are not, and the screen says so', async () => {
    await set({ price: null, monthly_budget: 0.001 })
    expect(await askMany(3)).toEqual(['answered', 'answered', 'answered'])
    expect((await admin.send(getSystemLlm)).body.month).toMatchObject({ spent: 0, enforceable: false })
    const price = { input: 1, output: 1 }
    const other = { second_opinion: 'other', second_model: 'fake-3' } as const
    await set({ price, ...other })
    expect((await admin.send(getSystemLlm)).body.month.enforceable).toBe(false)
    await set({ price, ...other, second_price: price })
    expect((await admin.send(getSystemLlm)).body.month.enforceable).toBe(true)
    const cost = await server.running.services.llm.costOf({ run_id: 1 })
    expect(cost).toMatchObject({ calls: 3, dollars: null })
    expect(cost.input_tokens).toBeGreaterThan(0)
  })
})

describe('a model', () => {
  it('gets no more concurrent requests than its settings allow, from any number of callers', async () => {
    await set({ at_once: 3 })
    fake.hold()
    const asked = askMany(12)
    await expect.poll(() => fake.records.concurrent).toBe(3)
    fake.resume()
    expect(await asked).not.toContain('waiting')
    expect(fake.records.maxConcurrent).toBe(3)
  })

  it('gets as many concurrent requests for each course as its settings allow, independent of other courses', async () => {
    await set({ at_once: 4 })
    const body = fakeLlmSettings(fake, { at_once: 200, api_key: 'sk-the-course-key' })
    await api.as(teacher).send(changeCourseLlm, { params: { courseId }, body })
    const { llm } = server.running.services
    expect(await llm.concurrencyFor(fairShareKey(courseId + 1))).toBe(5)
    expect(await llm.concurrencyFor(fairShareKey(null))).toBe(5)
    expect(await llm.concurrencyFor(fairShareKey(courseId))).toBe(250)
    expect(await llm.concurrencyFor('rubric:1')).toBe(1)
  })

  it('gets no request where its address was changed since it was chosen: its key is for the other one now', async () => {
    await set({ api_key: 'sk-the-first-key-0001' })
    const { llm } = server.running.services
    const model = await llm.chosenFor(null)
    if (!model) throw new Error('no model')
    await set({ base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-the-second-key-02' })
    await expect(llm.clientFor(model, { course_id: null })(smallLlmRequest)).rejects.toMatchObject({ code: 'waiting' })
    expect(fake.requests).toEqual([])
  })
})

describe('work begun with an LLM', () => {
  const begin = async () => {
    const model = await server.running.services.llm.chosenFor(courseId)
    if (!model) throw new Error('no model')
    return model
  }
  const ask = (model: ChosenLlm, question = smallLlmRequest) =>
    server.running.services.llm.clientFor(model, about())(question)

  it('is finished by it, at its own price, when another LLM is chosen meanwhile', async () => {
    await set({ price: { input: 10, output: 10 } })
    const model = await begin()
    await set({ model: 'fake-2', price: { input: 1000, output: 1000 } })
    await ask(model)
    const call = await LlmCallModel.findOne().lean()
    expect(call?.model).toBe('fake-1')
    expect(call?.dollars).toBeCloseTo((10 * ((call?.input_tokens ?? 0) + (call?.output_tokens ?? 0))) / 1e6)
    expect(call?.dollars).toBeGreaterThan(0)
  })

  it('is charged by a price that was corrected meanwhile', async () => {
    await set({ price: { input: 10, output: 10 } })
    const model = await begin()
    await set({ price: { input: 1000, output: 1000 } })
    await ask(model)
    const call = await LlmCallModel.findOne().lean()
    expect(call?.dollars).toBeCloseTo((1000 * ((call?.input_tokens ?? 0) + (call?.output_tokens ?? 0))) / 1e6)
  })

  it('is charged for its second opinions at that LLM’s price', async () => {
    const other = { second_opinion: 'other', second_model: 'fake-3' } as const
    await set({ price: { input: 1, output: 1 }, ...other, second_price: { input: 500, output: 500 } })
    const model = await begin()
    await set({ price: { input: 1, output: 1 } })
    await ask(model, { ...smallLlmRequest, purpose: 'second_opinion', model: 'fake-3' })
    const call = await LlmCallModel.findOne().lean()
    expect(call).toMatchObject({ model: 'fake-3' })
    expect(call?.dollars).toBeCloseTo((500 * ((call?.input_tokens ?? 0) + (call?.output_tokens ?? 0))) / 1e6)
    expect(await spent()).toBe(call?.dollars)
  })

  it('sends no picture once pictures are turned off', async () => {
    await set({ pictures: true })
    const model = await begin()
    await set({ pictures: false })
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    const shown = { ...smallLlmRequest, parts: [{ picture: { bytes, media_type: 'image/png' as const } }] }
    await expect(ask(model, shown)).rejects.toMatchObject({ code: 'waiting' })
    expect(fake.requests).toEqual([])
    await ask(model)
    expect(fake.requests).toHaveLength(1)
  })
})

describe('a response nobody waited for', () => {
  it('counts in the budget and the totals with the most it may have cost, and is marked as estimated', async () => {
    await set({ monthly_budget: 5 })
    fake.script({ do: 'stall' })
    const model = await server.running.services.llm.chosenFor(courseId)
    if (!model) throw new Error('no model')
    const stop = new AbortController()
    const asked = server.running.services.llm.clientFor(model, about())(smallLlmRequest, stop.signal)
    await expect.poll(() => fake.requests.length).toBe(1)
    stop.abort(new Error('stopped'))
    await expect(asked).rejects.toThrow('stopped')
    const summedUp = { outcome: 'failed' as const, summed: true }
    await expect.poll(() => LlmCallModel.countDocuments(summedUp)).toBe(1)
    const call = await LlmCallModel.findOne().lean()
    expect(call).toMatchObject({ error_code: null, paid: false, estimated: true })
    expect(call?.dollars).toBeGreaterThan(0)
    expect(await spent()).toBe(call?.dollars)
    const sums = { calls: 1, dollars: call?.dollars, estimated: 1 }
    expect(await server.running.services.llm.costOf({ run_id: 1 })).toMatchObject(sums)
    const usage = await admin.send(getSystemLlmUsage)
    expect(usage.body.total).toMatchObject({ ...sums, failures: 1, unpriced: 0 })
    await reconcileAbandonedCalls(now)
    expect(await spent()).toBe(call?.dollars)
  })
})

describe('after a process died', () => {
  it('releases what was reserved for abandoned calls, and counts once what may have been counted', async () => {
    await set({ monthly_budget: 5 })
    await askMany(2)
    const before = await spent()
    const [call] = await LlmCallModel.find().lean()
    if (!call) throw new Error('a call')
    // One was under way; one had ended and may or may not be in the totals.
    await LlmCallModel.create({
      ...call,
      _id: 9001,
      identity: 'x',
      process: 'that died',
      outcome: 'asking',
      dollars: null,
      held: 2,
    })
    await LlmBudgetModel.updateMany({}, { $inc: { committed: 2 } })
    await LlmCallModel.updateOne({ _id: call._id }, { $set: { summed: false, process: 'that died' } })
    await reconcileAbandonedCalls(now)
    const budget = await LlmBudgetModel.findById('2096-11/system').lean()
    expect(budget?.committed).toBeCloseTo(before, 9)
    expect(budget?.spent).toBeCloseTo(before, 9)
    expect(await server.running.services.llm.costOf({ run_id: 1 })).toMatchObject({ calls: 2 })
    expect(await LlmCallModel.countDocuments({ outcome: 'asking' })).toBe(0)
  })
})
