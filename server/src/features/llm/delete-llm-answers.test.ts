import { getAdminDashboard } from '@assay/shared/admin.ts'
import { deleteAssignment } from '@assay/shared/assignments.ts'
import { getCourseLlmUsage } from '@assay/shared/llm/llm.ts'
import { deleteSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepOrphans } from '../../maintenance/sweep-orphans.ts'
import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { buildAssignment, buildCourse, buildPerson, correctAnswers, drawPaper } from '../../testing/build-course.ts'
import { chooseFakeLlm, smallLlmRequest, useFakeLlm } from '../../testing/llm-settings.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'
import type { LlmCallContext } from './llm-service.ts'

const { api, server } = useTestApi()
const fake = useFakeLlm()
let admin: Caller
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
  await chooseFakeLlm(admin, fake)
})

async function ask(about: LlmCallContext) {
  const { llm } = server.running.services
  const model = await llm.chosenFor(about.course_id)
  if (!model) throw new Error('no model')
  return llm.clientFor(model, about)(smallLlmRequest)
}
async function buildAsked() {
  const course = await buildCourse(api, { students: 0 })
  const { instructor, courseId } = course
  const paper = { name: 'a.pdf', bytes: await drawPaper({ full_name: 'A' }, correctAnswers) }
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [paper])
  const about = { course_id: courseId, assignment_id: assignmentId, run_id: 1 }
  await ask({ ...about, submission_id: submissionIds[0] ?? 0 })
  await ask(about)
  const usage = async () => (await api.as(instructor).send(getCourseLlmUsage, { params: { courseId } })).body
  return { ...course, assignmentId, submissionIds, usage, about }
}
const answersOf = (assignment_id: number) => LlmAnswerModel.countDocuments({ assignment_id })

describe('an LLM’s response', () => {
  it('is deleted with its paper, and with the assignment; its cost stays', async () => {
    const { instructor, assignmentId, submissionIds, usage } = await buildAsked()
    const before = await usage()
    expect(await answersOf(assignmentId)).toBe(2)
    await api
      .as(instructor)
      .send(deleteSubmissions, { params: { assignmentId }, body: { submission_ids: submissionIds } })
    expect(await answersOf(assignmentId)).toBe(1)
    expect(await LlmCallModel.findOne({ submission_id: submissionIds[0] }).lean()).toMatchObject({
      inputs: [],
      outcome: 'answered',
    })
    await api.as(instructor).send(deleteAssignment, { params: { assignmentId } })
    expect(await answersOf(assignmentId)).toBe(0)
    const after = await usage()
    expect(after.total).toEqual(before.total)
    expect(after.assignments).toMatchObject([{ id: assignmentId, name: null, calls: 2 }])
  })

  it('is swept where it arrived while the assignment was being deleted', async () => {
    const { instructor, assignmentId, about } = await buildAsked()
    await api.as(instructor).send(deleteAssignment, { params: { assignmentId } })
    await ask({ ...about, run_id: 2 })
    expect(await answersOf(assignmentId)).toBe(1)
    await sweepOrphans(server.running.services)
    expect(await answersOf(assignmentId)).toBe(0)
  })
})

describe('the dashboard', () => {
  const grader = async () => {
    const { health } = (await admin.send(getAdminDashboard)).body
    return health.find(({ part }) => part === 'grader')
  }

  it('says which LLM grades and whether it has answered recently', async () => {
    expect(await grader()).toMatchObject({ state: 'good', detail: expect.stringContaining('fake-1') })
    await LlmCallModel.deleteMany({})
    fake.script({ do: 'error', status: 401, message: 'no such key' })
    await ask({ course_id: null }).catch(() => {})
    expect(await grader()).toMatchObject({ state: 'bad', detail: expect.stringContaining('failed 1 times') })
  })
})
