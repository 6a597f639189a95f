import { publishAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { buildGraded, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

/** One graded paper of three criteria. */
async function buildOne() {
  const built = await buildGraded(api, [weakAnswers], { students: true, names: ['Ada M.'] })
  const { instructor, teacher, students, assignmentId, submissionIds } = built
  const [ada] = students
  if (!ada) throw new Error('a student')
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const gradeOf = async () => {
    const { body } = await teacher.send(getSubmission, { params })
    if (!body.grade) throw new Error('a grade')
    return body.grade
  }
  const decide = async (body: Partial<GradeOverride>) =>
    teacher.send(overrideGrade, {
      params: { ...params, gradeId: (await gradeOf()).id },
      body: { overall_score: null, human_review_notes: null, ...body },
    })
  const [first, second, third] = (await gradeOf()).criterion_grades_collection
  if (!first || !second || !third) throw new Error('three criteria')
  const seenByStudent = async () =>
    (await api.as(ada).send(getStudentAssignment, { params: { assignmentId } })).body.criterion_grades
  return { instructor, teacher, assignmentId, params, gradeOf, decide, first, second, third, seenByStudent }
}

it('is read by the student instead of the AI’s, as a person’s words, until it is taken back', async () => {
  const { teacher, params, assignmentId, gradeOf, decide, first, seenByStudent } = await buildOne()
  const { criterion_id } = first
  const written = await decide({ criteria: [{ criterion_id, feedback: ' Name the unit. ' }] })
  expect(written.body.criterion_grades_collection[0]).toMatchObject({ teacher_feedback: 'Name the unit.' })
  // The points are the AI's still.
  expect(written.body.criterion_grades_collection[0]).not.toHaveProperty('teacher_score')
  expect((await gradeOf()).criterion_grades_collection[1]).not.toHaveProperty('teacher_feedback')
  await teacher.send(publishAssignment, { params: { assignmentId } })
  const [one, two] = await seenByStudent()
  expect([one, two]).toMatchObject([{ feedback: 'Name the unit.', feedback_by: 'teacher' }, { feedback_by: 'ai' }])

  await decide({ criteria: [{ criterion_id, feedback: ' ' }] })
  expect((await seenByStudent())[0]).toMatchObject({ feedback: first.llm_feedback, feedback_by: 'ai' })
  const { body: history } = await teacher.send(getGradeHistory, { params })
  const words = history.events.filter(({ action }) => action === 'grade.overridden').map(({ after }) => after)
  expect(words[0]).toMatchObject({ criterion_feedback: { [criterion_id]: 'Name the unit.' } })
  expect(words[1]).not.toHaveProperty('criterion_feedback')
})

it('stays when the paper is graded again, and is not overwritten by who has not seen it', async () => {
  const { instructor, assignmentId, gradeOf, decide, first, second } = await buildOne()
  const seen = await gradeOf()
  await decide({ criteria: [{ criterion_id: first.criterion_id, feedback: 'Name the unit.' }] })
  const late = await decide({
    revision: seen.revision,
    criteria: [{ criterion_id: first.criterion_id, feedback: 'Another.' }],
  })
  expect(late.status).toBe(409)
  const gone = await decide({ criteria: [{ criterion_id: 'nowhere', feedback: 'Another.' }] })
  expect(gone.status).toBe(422)
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  const after = await gradeOf()
  expect(after.id).not.toBe(seen.id)
  expect(after.criterion_grades_collection.map(({ teacher_feedback }) => teacher_feedback)).toEqual([
    'Name the unit.',
    undefined,
    undefined,
  ])
  expect(second.criterion_id).toBe(after.criterion_grades_collection[1]?.criterion_id)
})

it('and points saved on the way do not make a paper reviewed before every criterion has a person’s points', async () => {
  const { gradeOf, decide, first, second, third } = await buildOne()
  await decide({ reviewed: false, criteria: [{ criterion_id: first.criterion_id, score: 1, feedback: 'See 2.' }] })
  expect((await gradeOf()).reviewed_at).toBeNull()
  await decide({
    reviewed: false,
    criteria: [second, third].map(({ criterion_id }) => ({ criterion_id, score: 0 })),
  })
  expect(await gradeOf()).toMatchObject({ reviewed_at: expect.any(String) })
  await decide({ reviewed: false, criteria: [{ criterion_id: third.criterion_id, score: null }] })
  expect((await gradeOf()).reviewed_at).toBeNull()
})
