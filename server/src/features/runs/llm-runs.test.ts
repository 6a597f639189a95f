import { publishAssignment } from '@assay/shared/assignments.ts'
import { deleteCourse } from '@assay/shared/courses.ts'
import { changeCourseLlm, removeCourseLlm } from '@assay/shared/llm/llm.ts'
import { estimateRun, getRun, processAssignment, stopRun } from '@assay/shared/runs.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startFakeLlm } from '../../../../tests/fake-llm/fake-llm.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { RunModel } from '../../records/grading/run.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, gradeAssignment, waitForRun } from '../../testing/build-course.ts'
import { chooseFakeLlm, fakeLlmSettings, useFakeLlm } from '../../testing/llm-settings.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm()
let admin: Caller
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
})

const choose = (more: Parameters<typeof chooseFakeLlm>[2] = {}) =>
  chooseFakeLlm(admin, fake, { at_once: 20, pictures: false, ...more })
const chooseOffline = () => choose({ provider: 'offline', model: '', base_url: null, price: null })

/** No two write the same, so that each is asked about. */
const answersOf = (i: number) => [
  `Ice is less dense than water, as I have measured ${i + 3} times with glass number ${i + 1}.`,
  'B',
  '144',
]

const buildClass = (count: number) =>
  buildGraded(
    api,
    Array.from({ length: count }, (_, i) => answersOf(i)),
    { graded: false },
  )

type Class = Awaited<ReturnType<typeof buildClass>>

async function begin({ teacher, assignmentId, instructor }: Class) {
  const started = await teacher.send(processAssignment, { params: { assignmentId } })
  const params = { assignmentId, runId: started.body.run_id }
  const run = async () => (await teacher.send(getRun, { params })).body
  const ended = () => waitForRun(api, instructor, assignmentId, params.runId)
  return { params, run, ended }
}

const gradesOf = ({ assignmentId }: Class) =>
  SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()

const polling = { interval: 50 }

describe('a run with a model', () => {
  it('grades each paper by it once, stores the grader, and reports the cost', async () => {
    await choose({ at_once: 3 })
    fake.settings.latencyMs = 50
    const made = await buildClass(8)
    const { ended } = await begin(made)
    const run = await ended()
    expect(run).toMatchObject({ status: 'completed', graded: 8, graders: ['openai-compatible/fake-1'] })
    expect(run.cost).toMatchObject({ calls: 8 })
    expect(run.cost?.dollars).toBeCloseTo(((run.cost?.input_tokens ?? 0) + (run.cost?.output_tokens ?? 0)) / 1000)
    expect(fake.records.counts()).toEqual({ received: 8, answered: 8, billed: 8 })
    expect(fake.records.maxConcurrent).toBeLessThanOrEqual(3)
    const grades = await gradesOf(made)
    expect(grades.map(({ grade }) => grade?.grader.name)).toEqual(Array(8).fill('openai-compatible/fake-1'))
    expect(fake.requests.every(({ asked }) => !JSON.stringify(asked.texts).includes('Student'))).toBe(true)
  })

  it('shows the teacher why, and hides that from students', async () => {
    await choose()
    const made = await buildClass(1)
    await (await begin(made)).ended()
    const [submissionId = 0] = made.submissionIds
    const params = { assignmentId: made.assignmentId, submissionId }
    const { grade } = (await made.teacher.send(getSubmission, { params })).body
    const judged = grade?.criterion_grades_collection.map(({ judged_by }) => judged_by)
    expect(judged).toEqual(['model', 'rules', 'rules'])
    expect(grade?.criterion_grades_collection[0]?.reasoning).toMatch(/expected words/)
    await made.teacher.send(publishAssignment, { params: { assignmentId: made.assignmentId } })
    const release = await ReleaseModel.findById(submissionId).lean()
    expect(release?.criteria).toHaveLength(3)
    expect(JSON.stringify(release)).not.toMatch(/expected words|judged_by|reasoning/)
  })

  it('says beforehand about what it costs, and whether the budget will do', async () => {
    await choose({ monthly_budget: 1000 })
    const made = await buildClass(4)
    const params = { assignmentId: made.assignmentId }
    const first = await made.teacher.send(estimateRun, { params })
    expect(first.body).toMatchObject({ papers: 4, unread: 4, leaves_server: false, enough: true })
    const run = await (await begin(made)).ended()
    const again = await made.teacher.send(estimateRun, { params, body: { force: true } })
    expect(again.body).toMatchObject({ papers: 4, unread: 0, grader: 'openai-compatible/fake-1' })
    const paid = run.cost?.input_tokens ?? 0
    expect(again.body.input_tokens).toBeGreaterThan(paid / 2)
    expect(again.body.input_tokens).toBeLessThan(paid * 2)
    const paidDollars = run.cost?.dollars ?? 0
    expect(again.body.left_of_budget).toBeCloseTo((first.body.left_of_budget ?? 0) - paidDollars)
    await choose({ monthly_budget: 1000, second_opinion: 'other', second_model: 'bigger' })
    const twice = await made.teacher.send(estimateRun, { params, body: { force: true } })
    expect(twice.body.input_tokens).toBeGreaterThan(again.body.input_tokens)
    // Nobody has said what the other model costs.
    expect(twice.body.dollars).toBe(again.body.dollars)
    await choose({ monthly_budget: 1000 - (again.body.left_of_budget ?? 0) + 0.001 })
    const scarce = await made.teacher.send(estimateRun, { params, body: { force: true } })
    expect(scarce.body.enough).toBe(false)
    await chooseOffline()
    const free = await made.teacher.send(estimateRun, { params, body: { force: true } })
    expect(free.body).toMatchObject({ papers: 4, grader: 'offline', dollars: 0, input_tokens: 0, enough: true })
  })

  it('stops without waiting for the twenty questions in flight', async () => {
    await choose()
    fake.settings.latencyMs = 120_000
    const made = await buildClass(24)
    const { params } = await begin(made)
    await expect.poll(() => fake.records.concurrent, polling).toBe(20)
    const stopped = await made.teacher.send(stopRun, { params })
    expect(stopped.body).toMatchObject({ status: 'stopped', graded: 0, stopped: 24, failed: 0 })
    await expect.poll(() => fake.requests.filter(({ abandoned }) => abandoned).length).toBe(20)
    expect((await gradesOf(made)).map(({ status }) => status)).toEqual(Array(24).fill('uploaded'))
  })

  it('stops when the budget is used up, and grades the rest once it is raised', async () => {
    await choose({ at_once: 1, monthly_budget: 1000 })
    const first = await buildClass(1)
    const one = (await (await begin(first)).ended()).cost?.dollars ?? 0
    const params = { assignmentId: first.assignmentId }
    const left = (await first.teacher.send(estimateRun, { params })).body.left_of_budget ?? 0
    // A question may begin while its longest answer is covered.
    await choose({ at_once: 1, monthly_budget: 1000 - left + 8 * one })
    const made = await buildClass(6)
    const { ended, run } = await begin(made)
    const stopped = await ended()
    expect(stopped).toMatchObject({ status: 'stopped', failed: 0 })
    expect(stopped.failure).toMatch(/budget.*is used up for this month/)
    await expect.poll(async () => (await run()).stopped, polling).toBe(6 - stopped.graded)
    await choose()
    expect(await gradeAssignment(api, made.instructor, made.assignmentId)).toMatchObject({ graded: 6 - stopped.graded })
    expect((await gradesOf(made)).map(({ grade }) => grade?.times_graded)).toEqual(Array(6).fill(1))
  })
})

describe('settings that change while a run goes on', () => {
  it('hold for the papers not graded yet, also where nobody is asked any more', async () => {
    await choose({ at_once: 1 })
    fake.settings.latencyMs = 1500
    const made = await buildClass(6)
    const { run, ended } = await begin(made)
    await expect.poll(async () => (await run()).graded, polling).toBeGreaterThan(0)
    await chooseOffline()
    const all = await ended()
    expect(all).toMatchObject({ status: 'completed', graded: 6, failed: 0 })
    expect(all.graders).toEqual(['openai-compatible/fake-1', 'offline'])
    const by = (await gradesOf(made)).map(({ grade }) => grade?.grader.name)
    expect(new Set(by)).toEqual(new Set(all.graders))
  })

  it('and correct them resume it at once', async () => {
    fake.settings.key = 'right'
    try {
      await choose({ api_key: 'wrong' })
      const made = await buildClass(3)
      const { run, ended } = await begin(made)
      await expect.poll(async () => (await run()).waiting?.needs_settings, polling).toBe(true)
      expect((await run()).waiting?.reason).toMatch(/does not accept the key/)
      await choose({ api_key: 'right' })
      expect(await ended()).toMatchObject({ status: 'completed', graded: 3, failed: 0 })
    } finally {
      fake.settings.key = null
    }
  })
})

describe('a course’s own LLM', () => {
  it('resumes its own runs, and no others, when it is corrected or removed', async () => {
    await choose({ api_key: 'of-the-school' })
    const [made, other] = [await buildClass(2), await buildClass(2)]
    const save = (of: Class, api_key: string) =>
      of.teacher.send(changeCourseLlm, {
        params: { courseId: of.courseId },
        body: { ...fakeLlmSettings(fake, { pictures: false }), api_key },
      })
    fake.settings.key = 'right'
    try {
      expect((await save(made, 'wrong')).status).toBe(200)
      expect((await save(other, 'wrong-too')).status).toBe(200)
      const [first, second] = [await begin(made), await begin(other)]
      for (const { run } of [first, second])
        await expect.poll(async () => (await run()).waiting?.needs_settings, polling).toBe(true)
      await save(made, 'right')
      expect(await first.ended()).toMatchObject({ status: 'completed', graded: 2 })
      const { retry_at } = (await second.run()).waiting ?? {}
      await choose({ api_key: 'right' })
      expect((await second.run()).waiting?.retry_at).toBe(retry_at)
      await other.teacher.send(removeCourseLlm, { params: { courseId: other.courseId } })
      expect(await second.ended()).toMatchObject({ status: 'completed', graded: 2 })
    } finally {
      fake.settings.key = null
    }
  })
})

describe('two runs', () => {
  it('share nothing: a class that waits at a slow model of its own leaves the others their places', async () => {
    await choose({ at_once: 2 })
    const slow = await startFakeLlm({ latencyMs: 120_000 })
    const [waits, works] = [await buildClass(8), await buildClass(3)]
    const body = { ...fakeLlmSettings(slow, { pictures: false, at_once: 1 }), api_key: 'one' }
    await waits.teacher.send(changeCourseLlm, { params: { courseId: waits.courseId }, body })
    const stuck = await begin(waits)
    await expect.poll(() => slow.records.concurrent, polling).toBe(1)
    const going = await begin(works)
    expect(await going.ended()).toMatchObject({ status: 'completed', graded: 3 })
    expect(slow.records.maxConcurrent).toBe(1)
    await waits.teacher.send(stopRun, { params: stuck.params })
    await slow.stop()
  })

  it('of two courses with models of their own do not hold each other up', async () => {
    await chooseOffline()
    const dead = await startFakeLlm({ key: 'nobody has it' })
    const [waits, works] = [await buildClass(3), await buildClass(3)]
    for (const [{ teacher, courseId }, model, api_key] of [
      [waits, dead, 'one'],
      [works, fake, 'two'],
    ] as const) {
      const body = { ...fakeLlmSettings(model, { pictures: false }), api_key }
      const reply = await teacher.send(changeCourseLlm, { params: { courseId }, body })
      expect(reply.status).toBe(200)
    }
    const [stuck, going] = [await begin(waits), await begin(works)]
    expect(await going.ended()).toMatchObject({ status: 'completed', graded: 3 })
    await expect.poll(async () => (await stuck.run()).waiting?.needs_settings, polling).toBe(true)
    expect(fake.requests.every(({ key }) => key === 'two')).toBe(true)

    const gone = await waits.teacher.send(deleteCourse, { params: { courseId: waits.courseId } })
    expect(gone.status).toBe(200)
    expect(await RunModel.countDocuments({ assignment_id: waits.assignmentId })).toBe(0)
    await dead.stop()
  })
})
