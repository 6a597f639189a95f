import { deleteAssignment } from '@assay/shared/assignments.ts'
import { generateRubric, getRubric, saveRubric, stopRubricGeneration } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { RubricGenerationModel } from '../../records/assignments/rubric-version.model.ts'
import { LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { buildGraded, buildPerson, correctAnswers, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { generationJobGroup } from './rubric-generation-jobs.ts'

const { api } = useTestApi()
const fake = useFakeLlm({ idempotency: true })
beforeAll(async () => {
  const admin = api.as(await buildPerson('admin'))
  await chooseFakeLlm(admin, fake, { provider: 'openai', api_key: 'sk-test-0123456789' })
})

const build = (answerSets: string[][] = []) =>
  buildGraded(api, answerSets, { names: answerSets.map(() => 'Ada Byron'), graded: false })

const loadRubric = async (teacher: Person, params: { assignmentId: number }) =>
  (await api.as(teacher).send(getRubric, { params })).body

async function made(teacher: Person, params: { assignmentId: number }) {
  await expect.poll(async () => (await loadRubric(teacher, params)).generation?.state ?? 'over').not.toBe('running')
  return loadRubric(teacher, params)
}

describe('a rubric made by a model', () => {
  it('is offered by name, made, paid for once and stored as the LLM’s', async () => {
    const { instructor, assignmentId, params } = await build()
    const { model } = await loadRubric(instructor, params)
    expect(model).toBe('openai/fake-1')
    const begun = await api.as(instructor).send(generateRubric, { params, body: { by: 'model' } })
    expect(begun.status).toBe(202)
    expect(await made(instructor, params)).toMatchObject({
      version: 1,
      made: { made_by: 'model', made_by_name: model, points: 20 },
    })
    const calls = await LlmCallModel.find({ assignment_id: assignmentId }).lean()
    expect(calls.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([['rubric', 'answered']])
  })

  it('says why the LLM cannot be used, and leaves what there was', async () => {
    const { instructor, params } = await build()
    fake.script({ do: 'error', status: 401, times: 9 })
    await api.as(instructor).send(generateRubric, { params, body: { by: 'model' } })
    const failed = await made(instructor, params)
    expect(failed).toMatchObject({ rubric: null, version: 0, generation: { by: 'model', state: 'failed' } })
    expect(failed.generation?.message).toMatch(/key/)
  })
})

describe('stopping a model that makes a rubric', () => {
  async function buildHanging() {
    const built = await build()
    const { instructor, params } = built
    fake.script({ do: 'stall', times: 9 })
    await api.as(instructor).send(generateRubric, { params, body: { by: 'model' } })
    await expect.poll(() => fake.requests.length).toBe(1)
    const stop = () => api.as(instructor).send(stopRubricGeneration, { params })
    return { ...built, stop }
  }

  it('ends the question under way, leaves what there was, and lets it be made again', async () => {
    const { instructor, assignmentId, params, stop } = await buildHanging()
    expect((await stop()).body).toMatchObject({ generation: null, rubric: null, version: 0 })
    await expect.poll(() => fake.requests[0]?.abandoned).toBe(true)
    const [call] = await LlmCallModel.find({ assignment_id: assignmentId }).lean()
    expect(call).toMatchObject({ outcome: 'failed', paid: false })
    expect(await JobModel.countDocuments({ 'payload.assignmentId': assignmentId })).toBe(0)
    fake.reset()
    await api.as(instructor).send(generateRubric, { params, body: { by: 'model' } })
    expect(await made(instructor, params)).toMatchObject({ version: 1, made: { made_by: 'model' } })
    expect((await stop()).body).toMatchObject({ version: 1, generation: null })
  })

  it('takes back its own question alone, not that of one begun in the same moment', async () => {
    const { assignmentId, stop } = await buildHanging()
    const next = await JobModel.create({
      _id: `next:${assignmentId}`,
      // Nobody here does such jobs.
      name: 'test-next-generation',
      group: generationJobGroup({ _id: assignmentId, generation_id: 0 }),
      payload: {},
      status: 'queued',
      run_at: new Date(),
      attempts: 0,
      claims: 0,
    })
    await stop()
    expect(await JobModel.countDocuments({ _id: next._id })).toBe(1)
    await next.deleteOne()
  })

  it('comes to nothing once the rubric takes its place', async () => {
    const { instructor, assignmentId, params, stop } = await buildHanging()
    await RubricGenerationModel.updateOne({ _id: assignmentId }, { $set: { state: 'saving' } })
    expect((await stop()).body.generation).toMatchObject({ state: 'running' })
    expect(fake.requests[0]?.abandoned).toBe(false)
    await RubricGenerationModel.updateOne({ _id: assignmentId }, { $set: { state: 'running' } })
    expect((await stop()).body.generation).toBeNull()
    expect(await loadRubric(instructor, params)).toMatchObject({ rubric: null })
  })

  it('goes without asking where the assignment is deleted', async () => {
    const { instructor, assignmentId, params } = await buildHanging()
    await api.as(instructor).send(deleteAssignment, { params })
    await expect.poll(() => fake.requests[0]?.abandoned).toBe(true)
    expect(await RubricGenerationModel.countDocuments({ _id: assignmentId })).toBe(0)
  })
})

describe('a model that regrades by a changed rubric', () => {
  it('is asked about the touched question alone, and the others stay word for word', async () => {
    const { instructor, assignmentId, submissionIds, params } = await build([correctAnswers, weakAnswers])
    await gradeAssignment(api, instructor, assignmentId)
    const gradesOf = () =>
      Promise.all(
        submissionIds.map(async (submissionId) => {
          const reply = await api.as(instructor).send(getSubmission, { params: { ...params, submissionId } })
          return (reply.body.grade?.criterion_grades_collection ?? []).map(({ id: _, ...words }) => words)
        }),
      )
    const before = await gradesOf()
    const { rubric, version } = await loadRubric(instructor, params)
    const questions = (rubric?.questions ?? []).map((question) =>
      question.number === '1' ? { ...question, notes: 'Any word on density will do.' } : question,
    )
    const body = { version, rubric: { questions, problems: [] } }
    expect((await api.as(instructor).send(saveRubric, { params, body })).body.outdated).toBe(2)
    fake.reset()
    expect(await gradeAssignment(api, instructor, assignmentId, { outdated: true })).toMatchObject({ graded: 2 })
    const asked = fake.records.all.map(({ asked: said }) => JSON.stringify(said))
    expect(asked).toHaveLength(2)
    for (const words of asked) {
      expect(words).toContain('Any word on density will do.')
      expect(words).toContain('Why does ice float')
      expect(words).not.toContain('12 times 12')
    }
    const after = await gradesOf()
    for (const [i, criteria] of after.entries()) expect(criteria.slice(1)).toEqual(before[i]?.slice(1))
    expect((await loadRubric(instructor, params)).outdated).toBe(0)
  })
})
