import { getAssignment, publishAssignment, setNamesHidden, unpublishAssignment } from '@assay/shared/assignments.ts'
import { exportGrades, gradebookFormats, overrideGrade } from '@assay/shared/grades.ts'
import type { QueryOf } from '@assay/shared/http/endpoint.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { listRuns, processAssignment } from '@assay/shared/runs.ts'
import { getStudentDashboard, listStudentAssignments } from '@assay/shared/students.ts'
import { countSubmissions, deleteSubmission, getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { RunModel } from '../../records/grading/run.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildGraded,
  correctAnswers,
  decideGrade,
  drawPaper,
  gradeAssignment,
  rowsOf,
  waitForRun,
  weakAnswers,
} from '../../testing/build-course.ts'
import { createPausedGrader } from '../../testing/paused-grader.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { releaseGrades } from './release.service.ts'

/** A test may block here. */
let meanwhile: () => Promise<void> = async () => {}
const { api } = useTestApi({}, { grader: createPausedGrader(() => meanwhile()) })

async function buildTwo() {
  const names = ['Ada M.', 'Ben K.']
  const built = await buildGraded(api, [correctAnswers, weakAnswers], { students: true, names })
  const [ada, ben] = built.students
  if (!ada || !ben) throw new Error('two students')
  return { ...built, ada, ben }
}

describe('grading and releasing', () => {
  it('grades every paper, with evidence on the page for what was written', async () => {
    const { instructor, assignmentId, submissionIds, run } = await buildTwo()
    expect(run).toMatchObject({ status: 'completed', total: 2, graded: 2, failed: 0 })

    const rubric = await api.as(instructor).send(getRubric, { params: { assignmentId } })
    expect(rubric.body.rubric?.questions.map((q) => q.criteria.reduce((sum, c) => sum + c.points, 0))).toEqual([
      10, 5, 5,
    ])
    const rows = await api.as(instructor).send(listSubmissions, { params: { assignmentId } })
    expect(rows.headers.get('x-total-count')).toBe('2')
    expect(rows.body.map((row) => row.status)).toEqual(['graded', 'graded'])
    const [good = 0, weak = 100] = rows.body.map((row) => row.overall_score ?? -1)
    expect(good).toBeGreaterThan(90)
    expect(weak).toBeLessThan(30)

    const [submissionId = 0] = submissionIds
    const { body } = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    const first = body.grade?.criterion_grades_collection[0]
    expect(first?.max_score).toBe(10)
    expect(first?.evidence[0]).toMatchObject({ page: 1 })
    expect(first?.evidence.map(({ quote }) => quote).join(' ')).toContain('less dense')
  })

  it('shows a student nothing before publishing, the override after it, and nothing again once unpublished', async () => {
    const { instructor, ada, courseId, assignmentId, submissionIds } = await buildTwo()
    const seen = () => api.as(ada).send(listStudentAssignments, { params: { courseId } })
    expect((await seen()).body).toEqual([])

    const [submissionId = 0] = submissionIds
    const opened = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    const gradeId = opened.body.grade?.id ?? 0
    const overridden = await api
      .as(instructor)
      .send(overrideGrade, {
        params: { assignmentId, submissionId, gradeId },
        body: { overall_score: 88.5, human_review_notes: 'Say why the molecules are further apart.' },
      })
    expect(overridden.body).toMatchObject({ manual_score_override: 88.5, final_score_after_review: 88.5 })
    expect((await seen()).body).toEqual([])

    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    expect((await seen()).body).toMatchObject([
      {
        is_graded: true,
        overall_score: 88.5,
        grade_feedback: 'Say why the molecules are further apart.',
        feedback_by: 'teacher',
        reviewed_by_teacher: true,
      },
    ])
    const dashboard = await api.as(ada).send(getStudentDashboard)
    expect(dashboard.body.grade_summary).toMatchObject({ average_score: 88.5, graded_assignments: 1 })

    await api.as(instructor).send(unpublishAssignment, { params: { assignmentId } })
    expect((await seen()).body).toEqual([])
  })

  it('withholds grades made after publishing until they are released, but releases an override immediately', async () => {
    const { instructor, ada, ben, courseId, assignmentId, submissionIds } = await buildTwo()
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    const scoreOf = async (student: typeof ada) =>
      (await api.as(student).send(listStudentAssignments, { params: { courseId } })).body[0]?.overall_score
    const before = await scoreOf(ben)

    await gradeAssignment(api, instructor, assignmentId, { submission_ids: submissionIds, force: true })
    const waiting = await api.as(instructor).send(getAssignment, { params: { assignmentId } })
    expect(waiting.body.counts).toMatchObject({ graded: 2, unreleased: 2 })
    expect(await scoreOf(ben)).toBe(before)

    const submissionId = submissionIds[1] ?? 0
    const opened = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    const params = { assignmentId, submissionId, gradeId: opened.body.grade?.id ?? 0 }
    await api.as(instructor).send(overrideGrade, { params, body: { overall_score: 50, human_review_notes: null } })
    expect(await scoreOf(ben)).toBe(50)

    const released = await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    expect(released.body.counts.unreleased).toBe(0)
  })

  it('releases only the papers looked at, and the others once they are; no words of the grader stay beside other points', async () => {
    const { instructor, ada, ben, courseId, assignmentId, submissionIds } = await buildTwo()
    const gradeOf = async (i: number) => {
      const params = { assignmentId, submissionId: submissionIds[i] ?? 0 }
      const { grade } = (await api.as(instructor).send(getSubmission, { params })).body
      if (!grade) throw new Error('no grade')
      return { params: { ...params, gradeId: grade.id }, grade }
    }
    const decide = async (i: number, score: number, reviewed: boolean) => {
      const { params, grade } = await gradeOf(i)
      const criterion_id = grade.criterion_grades_collection[0]?.criterion_id ?? ''
      const body = { overall_score: null, human_review_notes: null, criteria: [{ criterion_id, score }], reviewed }
      return (await api.as(instructor).send(overrideGrade, { params, body })).body
    }
    const seenBy = async (student: typeof ada) =>
      (await api.as(student).send(listStudentAssignments, { params: { courseId } })).body[0]
    const publish = async (reviewed_only: boolean) =>
      (await api.as(instructor).send(publishAssignment, { params: { assignmentId }, body: { reviewed_only } })).body

    const { grade: suggested } = await gradeOf(0)
    expect(suggested.criterion_grades_collection[0]?.llm_feedback).not.toBe('')
    const decided = await decide(0, 1, true)
    expect(decided.criterion_grades_collection.map(({ llm_feedback }) => llm_feedback === '')).toEqual([
      true,
      false,
      false,
    ])
    expect(decided.llm_summary_feedback).toContain('Work most on question 1')
    expect(decided.llm_summary_feedback).not.toBe(suggested.llm_summary_feedback)

    const counted = await api.as(instructor).send(countSubmissions, { params: { assignmentId } })
    expect(counted.body).toMatchObject({ unreleased: 2, unreleased_reviewed: 1 })
    const first = await publish(true)
    expect(first.counts).toMatchObject({ graded: 2, unreleased: 1 })
    expect(await seenBy(ada)).toMatchObject({ is_graded: true, reviewed_by_teacher: true })
    expect((await seenBy(ada))?.criterion_grades[0]).toMatchObject({ score: 1, feedback: '' })
    expect(await seenBy(ben)).toMatchObject({ is_graded: false })
    await decide(1, 5, false)
    expect(await seenBy(ben)).toMatchObject({ is_graded: false })

    expect((await publish(false)).counts.unreleased).toBe(0)
    expect(await seenBy(ben)).toMatchObject({ is_graded: true, reviewed_by_teacher: false })
    const { grade } = await gradeOf(1)
    expect(grade.llm_summary_feedback).not.toBe('')
    const whole = { overall_score: 100, human_review_notes: null }
    const { params } = await gradeOf(1)
    await api.as(instructor).send(overrideGrade, { params, body: whole })
    expect(await seenBy(ben)).toMatchObject({ overall_score: 100, grade_feedback: '', reviewed_by_teacher: true })
  })

  it('rejects a score outside 0 to 100 and does not change the grade', async () => {
    const { instructor, assignmentId, submissionIds } = await buildTwo()
    const [submissionId = 0] = submissionIds
    const opened = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    const params = { assignmentId, submissionId, gradeId: opened.body.grade?.id ?? 0 }
    for (const overall_score of [-1, 100.1]) {
      const body = { overall_score, human_review_notes: null }
      const refused = await api.as(instructor).send(overrideGrade, { params, body })
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'overall_score'] }] } })
    }
    const after = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    expect(after.body.grade).toEqual(opened.body.grade)
  })

  it('exports every grade with its criteria, and no cell that a spreadsheet reads as a formula', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
      { name: '=cmd|calc.pdf', bytes: await drawPaper({ full_name: 'Eve' }, correctAnswers) },
    ])
    await gradeAssignment(api, instructor, assignmentId)
    const submissionId = submissionIds[0] ?? 0
    const opened = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
    const params = { assignmentId, submissionId, gradeId: opened.body.grade?.id ?? 0 }
    const body = { overall_score: 88.5, human_review_notes: '+49 "quoted"\nnext line' }
    await api.as(instructor).send(overrideGrade, { params, body })

    const csv = await api.as(instructor).send(exportGrades, { params: { assignmentId } })
    expect(csv.headers.get('content-disposition')).toContain(`assignment_${assignmentId}_grades.csv`)
    const [header = '', row = ''] = rowsOf(csv.text)
    expect(csv.text.split(/[\r\n]/)[0]).toMatch(/^\ufeff"[^"]*"(,"[^"]*")*$/)
    expect(header).toContain('student_identifier,name,email,submitted_at,status,ai_score,override,final_score,letter')
    expect(header).toMatch(/,1\. .*\(of 10\)/)
    expect(row.startsWith("'=cmd|calc,")).toBe(true)
    expect(row).toContain(',88.5,88.5,B+,no,\'+49 "quoted"\nnext line')
  })
})

describe('the file of grades', () => {
  async function buildClass() {
    const one = await buildGraded(api, [correctAnswers, weakAnswers], {
      students: true,
      names: ['Ada van Dam', 'Ben Roth'],
    })
    const [ada] = one.students
    await UserModel.updateOne({ _id: ada?.id }, { $set: { full_name: 'Ada van Dam', student_number: '0042' } })
    await EnrollmentModel.updateOne(
      { user_id: ada?.id, course_id: one.courseId },
      { $set: { external_user_id: '901', canvas_user_id: '5100', sis_user_id: '0043' } },
    )
    const csv = async (query: QueryOf<typeof exportGrades> = {}) => {
      const { text } = await api.as(one.instructor).send(exportGrades, { params: one.params, query })
      const rows: string[][] = parse(text, { bom: true })
      return rows
    }
    return { ...one, ada, csv }
  }

  it('has names, numbers and lateness apart, and the points of each question', async () => {
    const { assignmentId, ada, csv } = await buildClass()
    await SubmissionModel.updateOne({ assignment_id: assignmentId, student_id: ada?.id }, { $set: { late: true } })
    const [header = [], ...rows] = await csv()
    const [row = []] = rows.filter((cells) => cells.includes('Ada van Dam'))
    const cell = (name: string) => row[header.indexOf(name)]
    expect(['surname', 'forename', 'student_number', 'late', 'email'].map(cell)).toEqual([
      ...['van Dam', 'Ada', '0043', 'yes'],
      `${ada?.username}@school.example`,
    ])
    const questions = header.filter((name) => /^Question \d+ \(of \d+\)$/.test(name))
    expect(questions.length).toBeGreaterThan(1)
    const sum = questions.reduce((total, name) => total + Number(cell(name)), 0)
    expect([cell('points'), cell('final_score')]).toEqual([
      String(sum),
      String((100 * sum) / Number(cell('max_points'))),
    ])
  })

  it('has the headings by which Canvas, Moodle and Blackboard import it', async () => {
    const { instructor, assignmentId, submissionIds, params, ada, csv } = await buildClass()
    const [full = [], ...all] = await csv()
    const points = all.find((cells) => cells.includes('Ada van Dam'))?.[full.indexOf('points')]
    const most = full
      .flatMap((name) => /^Question .* \(of (\d+)\)$/.exec(name)?.[1] ?? [])
      .reduce((a, b) => a + Number(b), 0)
    const email = `${ada?.username}@school.example`
    const files = {
      canvas: [
        `Student,ID,SIS User ID,SIS Login ID,Section,Water and heat`,
        `    Points Possible,,,,,${most}`,
        `van Dam, Ada,5100,0043,${email},,${points}`,
      ],
      moodle: ['First name,Last name,ID number,Email address,Water and heat', `Ada,van Dam,0043,${email},${points}`],
      blackboard: [
        `Last Name,First Name,Username,Student ID,Water and heat [Total Pts: ${most} Score]`,
        `van Dam,Ada,901,0043,${points}`,
      ],
    }
    for (const format of gradebookFormats)
      expect((await csv({ format, suggestions: 'yes' })).map(String)).toEqual(expect.arrayContaining(files[format]))
    const approvedOf = ([header = [], ...rows]: string[][]) => rows.map((cells) => cells[header.indexOf('approved')])
    // Canvas would show a suggestion like any other grade.
    const ofAda = async (query: QueryOf<typeof exportGrades>) =>
      (await csv(query)).filter((cells) => cells.includes('0043')).length
    for (const format of gradebookFormats) {
      expect([await ofAda({ format }), await ofAda({ format, suggestions: 'yes' })]).toEqual([0, 1])
    }
    expect(approvedOf(await csv())).toEqual(['no', 'no'])
    await api.as(instructor).send(publishAssignment, { params })
    expect([await ofAda({ format: 'canvas' }), approvedOf(await csv())]).toEqual([1, ['no', 'no']])
    await decideGrade(api.as(instructor), { assignmentId, submissionId: submissionIds[0] ?? 0 })
    expect(approvedOf(await csv())).toEqual(['yes', 'no'])
    await api.as(instructor).send(setNamesHidden, { params, body: { names_hidden: true } })
    const hidden = await api
      .as(instructor)
      .send(exportGrades, { params: { assignmentId }, query: { format: 'canvas' } })
    expect(hidden.status).toBe(409)
  })
})

async function buildOne({ graded = true } = {}) {
  const { instructor, students, courseId } = await buildCourse(api, { students: 1 })
  const student = students[0] as Person
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${student.username}.pdf`, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
  ])
  const submissionId = submissionIds[0] ?? 0
  if (graded) await gradeAssignment(api, instructor, assignmentId)
  const ids = { assignmentId, submissionId }
  const grade = async () => (await api.as(instructor).send(getSubmission, { params: ids })).body.grade
  const override = async (score: number | null, revision?: number) => {
    const gradeId = (await grade())?.id ?? 0
    const body = { overall_score: score, human_review_notes: score === null ? null : `${score} it is`, revision }
    return api.as(instructor).send(overrideGrade, { params: { ...ids, gradeId }, body })
  }
  const seen = async () => (await api.as(student).send(listStudentAssignments, { params: { courseId } })).body[0]
  return { instructor, student, courseId, ...ids, grade, override, seen }
}

describe('at the same time', () => {
  it('an override recorded while the paper is graded again is preserved', async () => {
    const { instructor, assignmentId, grade, override } = await buildOne()
    meanwhile = async () => {
      meanwhile = async () => {}
      expect((await override(42)).status).toBe(200)
    }
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    expect(await grade()).toMatchObject({ manual_score_override: 42, manual_feedback: '42 it is' })
  })

  it('a decision on a grade that someone else has changed is a conflict, and changes nothing', async () => {
    const { grade, override } = await buildOne()
    const looked = (await grade())?.revision
    expect((await override(70, looked)).status).toBe(200)
    const late = await override(null, looked)
    expect(late).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect(await grade()).toMatchObject({ manual_score_override: 70, manual_feedback: '70 it is' })
    expect((await override(71, (await grade())?.revision)).status).toBe(200)
  })

  it('after two overrides the student sees the last one', async () => {
    const { instructor, assignmentId, grade, override, seen } = await buildOne()
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    for (let round = 0; round < 5; round++) {
      await Promise.all([override(10 + round), override(50 + round), override(90 - round)])
      const current = await grade()
      expect(current?.released).toBe(true)
      expect((await seen())?.overall_score).toBe(current?.manual_score_override)
    }
  })

  it('an older release does not replace a newer one', async () => {
    const { instructor, assignmentId, submissionId, override, seen } = await buildOne()
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    const stale = await SubmissionModel.findById(submissionId).lean()
    await override(55.5)
    if (!stale) throw new Error('a submission')
    await releaseGrades([stale], new Date())
    expect(await seen()).toMatchObject({ overall_score: 55.5, feedback_by: 'teacher' })
    expect(await ReleaseModel.countDocuments({ _id: submissionId })).toBe(1)
  })

  it('a regraded paper with an override still shows the student the teacher’s decision', async () => {
    const { instructor, assignmentId, override, seen } = await buildOne()
    await override(33)
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    expect(await seen()).toMatchObject({ overall_score: 33, reviewed_by_teacher: true, feedback_by: 'teacher' })
  })

  it('a run ends when its last open paper is deleted', async () => {
    const { instructor, assignmentId, submissionId } = await buildOne({ graded: false })
    meanwhile = async () => {
      meanwhile = async () => {}
      await api.as(instructor).send(deleteSubmission, { params: { assignmentId, submissionId } })
    }
    const { body } = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    expect(await waitForRun(api, instructor, assignmentId, body.run_id)).toMatchObject({
      status: 'completed',
      graded: 0,
    })
  })

  it('a start that was interrupted before it locked the assignment shows no run', async () => {
    const { instructor, assignmentId } = await buildOne()
    const [run] = await RunModel.find({ assignment_id: assignmentId }).lean()
    await RunModel.create({ ...run, _id: 1_000_000 + assignmentId, status: 'preparing', finished_at: null })
    const runs = await api.as(instructor).send(listRuns, { params: { assignmentId } })
    expect(runs.body.map(({ id }) => id)).toEqual([run?._id])
  })
})
