import { getSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, decideGrade, gradeAssignment } from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm()

it('shows a model the teacher’s decisions on other papers, and nobody’s name with them', async () => {
  await chooseFakeLlm(api.as(await buildPerson('admin')), fake, { pictures: false })

  const written = (by: string) => [`${by} measured that ice is less dense than the water around it.`, 'B', '144']
  const answerSets = ['Zelda Quist', 'wgruber7 or Wanda Gruber', 'The class'].map(written)
  const names = ['Zelda Quist', '', 'Ada Diaz']
  const { instructor, assignmentId, submissionIds } = await buildGraded(api, answerSets, { names, graded: false })
  const [one = 0, two = 0, three = 0] = submissionIds
  const wanda = await buildPerson('student')
  await UserModel.updateOne({ _id: wanda.id }, { $set: { full_name: 'Wanda Gruber', username: 'wgruber7' } })
  await SubmissionModel.updateOne({ _id: two }, { $set: { student_id: wanda.id } })
  await gradeAssignment(api, instructor, assignmentId)

  const teacher = api.as(instructor)
  const criterionOf = async (submissionId: number) => {
    const { body } = await teacher.send(getSubmission, { params: { assignmentId, submissionId } })
    return body.grade?.criterion_grades_collection[0]
  }
  const suggested = await criterionOf(one)
  expect(suggested).toMatchObject({ judged_by: 'model' })
  expect(suggested?.score).not.toBe(3)
  for (const [submissionId, score] of [
    [one, 3],
    [two, 4],
  ] as const) {
    const { criterion_id = '' } = (await criterionOf(submissionId)) ?? {}
    await decideGrade(teacher, { assignmentId, submissionId }, { criteria: [{ criterion_id, score }] })
  }
  fake.reset()
  await gradeAssignment(api, instructor, assignmentId, { submission_ids: [three], force: true })
  const sent = JSON.stringify(fake.requests.map(({ asked }) => asked.texts))
  expect(sent).toMatch(/\[STUDENT\] measured that ice/)
  expect(sent).toMatch(/\[STUDENT(?: 2)?\] or \[STUDENT(?: 2)?\] measured that ice/)
  expect(sent).not.toMatch(/Zelda|Quist|Wanda|Gruber|wgruber7|Ada|Diaz/)

  // A decided paper is not asked about once more, and the suggestion stays the LLM's.
  fake.reset()
  await gradeAssignment(api, instructor, assignmentId, { submission_ids: [one], force: true })
  expect(JSON.stringify(fake.requests.map(({ asked }) => asked.texts))).not.toContain('measured that ice')
  expect(await criterionOf(one)).toEqual({ ...suggested, id: expect.any(Number), teacher_score: 3, llm_feedback: '' })
})
