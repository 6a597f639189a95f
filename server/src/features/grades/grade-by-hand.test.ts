import { getCourseAnalytics, listQuestionStatistics } from '@assay/shared/analytics.ts'
import { createAssignment, publishAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades, type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { getStudentAssignment, getStudentDashboard } from '@assay/shared/students.ts'
import { countSubmissions, getSubmission, listSubmissionIds, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { drawBlank, drawKey, drawStudentPaper } from '../../../../tests/papers/draw-papers.ts'
import type { DrawnAssignment } from '../../../../tests/papers/drawn-assignment.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildCourse, buildGraded, gradeAssignment, rowsOf, weakAnswers } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { findAnchors } from './decide-criteria.ts'

const { api, server } = useTestApi()

/** Six points that the built-in grader cannot give, and two that it can. */
const quiz: DrawnAssignment = {
  title: 'Cells',
  course: 'Biology',
  instructions: 'Answer on the lines.',
  questions: [
    { number: '1', prompt: 'Draw and label a plant cell.', points: 6, lines: 3, answer: 'nucleus, wall' },
    { number: '2', prompt: 'Name the green substance.', points: 2, lines: 1, answer: 'chlorophyll' },
  ],
}

async function buildClass() {
  const { instructor, students, courseId } = await buildCourse(api)
  const [ada, ben] = students
  if (!ada || !ben) throw new Error('two students')
  const paperOf = async ({ username }: Person) => {
    const student = { username, full_name: '', email: '', student_number: '' }
    const bytes = await drawStudentPaper(quiz, student, ['nucleus', 'chlorophyll'], 'typed')
    return { name: `${username}.pdf`, bytes: Buffer.concat([bytes, Buffer.from(`\n% ${username}\n`)]) }
  }
  const teacher = api.as(instructor)
  const created = await teacher.send(createAssignment, {
    body: { name: quiz.title, course_id: courseId },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
      student_submission_pdfs: [await paperOf(ada), await paperOf(ben)],
    },
  })
  const params = { assignmentId: created.body.id }
  await gradeAssignment(api, instructor, params.assignmentId)
  const list = async (query = {}) => (await teacher.send(listSubmissionIds, { params, query })).body.map(({ id }) => id)
  const ids = await list()
  const open = async (i = 0) => {
    const { body } = await teacher.send(getSubmission, { params: { ...params, submissionId: ids[i] ?? 0 } })
    if (!body.grade) throw new Error('a grade')
    return { ...body, grade: body.grade }
  }
  const decide = async (body: Partial<GradeOverride>, i = 0) => {
    const { id: submissionId, grade } = await open(i)
    const reply = await teacher.send(overrideGrade, {
      params: { ...params, submissionId, gradeId: grade.id },
      body: { overall_score: null, human_review_notes: null, needs_review: false, ...body },
    })
    expect(reply.status).toBe(200)
    return reply.body
  }
  const drawing = (await open()).grade.criterion_grades_collection[0]?.criterion_id ?? ''
  return { instructor, teacher, ada, ben, courseId, params, ids, list, open, decide, drawing }
}

describe('answers that only a person can grade', () => {
  it('have no score and no feedback, are left out of the paper’s score, and are listed until they have one', async () => {
    const { teacher, params, ids, list, open, decide, drawing } = await buildClass()
    const { grade, ...row } = await open()
    expect(grade.criterion_grades_collection).toMatchObject([
      { score: null, unscored_reason: 'cannot_judge', llm_performance_level: null, llm_feedback: '', max_score: 6 },
      { score: 2, max_score: 2 },
    ])
    expect(grade.criterion_grades_collection[0]?.evidence[0]).toMatchObject({ page: 1, box: expect.any(Object) })
    expect(grade).toMatchObject({ overall_score: 100, unscored_points: 6, needs_review: true })
    expect(row).toMatchObject({ overall_score: 100, unscored_points: 6 })

    const queue = () => list({ status: 'by_hand' })
    const counted = async () => (await teacher.send(countSubmissions, { params })).body.by_hand
    expect([await queue(), await counted()]).toEqual([ids, 2])

    expect(await decide({})).toMatchObject({ unscored_points: 6, needs_review: false, overall_score: 100 })
    expect(await queue()).toEqual(ids)
    const anchors = await findAnchors(await requireAssignment(params.assignmentId))
    expect(anchors.map(({ score }) => score)).toEqual([2])

    expect(await decide({ criteria: [{ criterion_id: drawing, score: 3 }] })).toMatchObject({
      overall_score: 100,
      manual_score_override: 62.5,
      final_score_after_review: 62.5,
      unscored_points: 0,
      needs_review: false,
    })
    expect([await queue(), await counted()]).toEqual([[ids[1]], 1])
    // Taken back, they are missing again; a score for the whole paper counts for them.
    expect(await decide({ criteria: [{ criterion_id: drawing, score: null }] })).toMatchObject({
      final_score_after_review: 100,
      unscored_points: 6,
      needs_review: false,
    })
    expect(await decide({ overall_score: 70 })).toMatchObject({ final_score_after_review: 70, unscored_points: 0 })
    const scores = await teacher.send(listSubmissions, { params, query: { sort: 'score' } })
    expect(
      scores.body.map(({ final_score_after_review, unscored_points }) => [final_score_after_review, unscored_points]),
    ).toEqual([
      [70, 0],
      [100, 6],
    ])
  })

  it('keep the teacher’s points when the paper is graded again', async () => {
    const { instructor, params, open, decide, drawing } = await buildClass()
    await decide({ criteria: [{ criterion_id: drawing, score: 6 }] })
    await gradeAssignment(api, instructor, params.assignmentId, { force: true })
    expect((await open()).grade).toMatchObject({ final_score_after_review: 100, unscored_points: 0 })
    expect((await open()).grade.criterion_grades_collection[0]).toMatchObject({ score: null, teacher_score: 6 })
    expect((await open(1)).grade).toMatchObject({ unscored_points: 6, needs_review: true })
    const history = await api
      .as(instructor)
      .send(getGradeHistory, { params: { ...params, submissionId: (await open()).id } })
    expect(history.body.suggestions.map(({ criteria }) => criteria[0]?.score)).toEqual([null, null])
  })

  it('are not graded yet to the student, who is told the score once they are', async () => {
    const { teacher, ada, ben, courseId, params, open, decide, drawing } = await buildClass()
    await decide({ criteria: [{ criterion_id: drawing, score: 6 }] }, 1)
    await teacher.send(publishAssignment, { params })
    const dataDir = server.running.services.config.dataDir
    const readyMails = async (person: Person) =>
      (await readMailsTo(dataDir, `${person.username}@school.example`)).filter(({ subject }) =>
        subject.includes('ready'),
      )
    await expect.poll(async () => (await readyMails(ben)).length).toBe(1)

    const seenBy = async (person: Person) => (await api.as(person).send(getStudentAssignment, { params })).body
    expect(await seenBy(ada)).toMatchObject({
      is_graded: false,
      overall_score: null,
      unscored_points: 6,
      can_ask_regrade: false,
      criterion_grades: [
        { score: null, score_by: 'ai', feedback: '', evidence: [] },
        { score: 2, score_by: 'ai' },
      ],
    })
    const gradeSummary = async (person: Person) => (await api.as(person).send(getStudentDashboard)).body.grade_summary
    expect(await gradeSummary(ada)).toMatchObject({ graded_assignments: 0, average_score: null })
    expect(await gradeSummary(ben)).toMatchObject({ graded_assignments: 1, average_score: 100 })
    const asked = await api.as(ada).send(requestRegrade, { params, body: { reason: 'Why no score?' } })
    expect(asked).toMatchObject({ status: 409, body: { message: expect.stringContaining('still grading') } })

    const course = await teacher.send(getCourseAnalytics, { params: { courseId } })
    expect(course.body).toMatchObject({ total_graded_items: 1, course_average_grade: 100 })
    const questions = await teacher.send(listQuestionStatistics, { params: { courseId } })
    expect(questions.body[0]?.questions.map(({ papers, average_share }) => [papers, average_share])).toEqual([
      [1, 100],
      [2, 100],
    ])
    const csv = async () => rowsOf((await teacher.send(exportGrades, { params })).text)[1] ?? ''
    expect(await csv()).toMatch(/,flagged,100,,,N\/A,yes,.*,,2,,,,,,/)
    // Points for one answer alone are no score of the paper.
    const other = (await open()).grade.criterion_grades_collection[1]?.criterion_id ?? ''
    await decide({ criteria: [{ criterion_id: other, score: 1 }] })
    expect((await open()).grade).toMatchObject({ manual_score_override: 50, points: { given: 1, of: 2 } })
    expect(await csv()).toMatch(/,by_hand,100,,,N\/A,no,.*,,1,,,,,,/)
    await decide({ criteria: [{ criterion_id: other, score: null }] })

    await decide({ criteria: [{ criterion_id: drawing, score: 3 }] })
    expect(await seenBy(ada)).toMatchObject({
      is_graded: true,
      overall_score: 62.5,
      unscored_points: 0,
      can_ask_regrade: true,
      criterion_grades: [{ score: 3, score_by: 'teacher' }, { score: 2 }],
    })
    expect(await csv()).toMatch(/,reviewed,100,62\.5,62\.5,F,no,.*,3,2,62\.5,,5,5,8,/)
    await waitForMail(dataDir, `${ada.username}@school.example`)
    await expect.poll(async () => (await readyMails(ada)).length).toBe(1)
  })

  it('are none in grades from before, whose scores stand', async () => {
    const { ids, open } = await buildClass()
    await SubmissionModel.updateOne(
      { _id: ids[0] },
      { $unset: { 'grade.unscored_points': 1 }, $set: { 'grade.overall_score': 25 } },
    )
    expect((await open()).grade).toMatchObject({ final_score_after_review: 25, unscored_points: 0 })
  })
})

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
  await decide({ reviewed: false, criteria: [second, third].map(({ criterion_id }) => ({ criterion_id, score: 0 })) })
  expect(await gradeOf()).toMatchObject({ reviewed_at: expect.any(String) })
  await decide({ reviewed: false, criteria: [{ criterion_id: third.criterion_id, score: null }] })
  expect((await gradeOf()).reviewed_at).toBeNull()
})
