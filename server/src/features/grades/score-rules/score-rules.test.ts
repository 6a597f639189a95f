import { listAudit } from '@assay/shared/admin.ts'
import { getCourseAnalytics } from '@assay/shared/analytics.ts'
import {
  getAssignment,
  publishAssignment,
  setExtension,
  setNamesHidden,
  unpublishAssignment,
  updateAssignment,
} from '@assay/shared/assignments.ts'
import { updateCourse } from '@assay/shared/courses.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { getGradebook } from '@assay/shared/gradebook.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { answerRegrade, listRegrades, requestRegrade } from '@assay/shared/regrades.ts'
import {
  type AssignmentScoreRules,
  type DatesToPreview,
  getScoreRules,
  previewDates,
  previewScoreRules,
  setHandInTimes,
  setScoreRules,
  type WantedRules,
  waiveLatePenalty,
} from '@assay/shared/score-rules.ts'
import { getStudentAssignment, getStudentDashboard } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, correctAnswers, decideGrade, rowsOf } from '../../../testing/build-course.ts'
import { keepState } from '../../../testing/keep-state.ts'
import { readMailsTo } from '../../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()

const DUE = new Date('2026-03-10T12:00:00Z')
const hoursAfterDue = (hours: number) => new Date(DUE.getTime() + hours * 3_600_000)
const TEN_A_DAY = { percent_per_day: 10, max_percent: 50, grace_minutes: 30 }
const LATE: WantedRules = { late_penalty: TEN_A_DAY, adjustment: null }
const NONE: WantedRules = { late_penalty: null, adjustment: null }
const shift = (points_percent: number): WantedRules => ({
  late_penalty: null,
  adjustment: { kind: 'shift', points_percent },
})

/** Two papers with 72 % and 40 %; Ada's came 25 hours late, Ben's was uploaded by the teacher. */
async function buildClass({ lateHours = 25 } = {}) {
  const built = await buildGraded(api, [correctAnswers, correctAnswers], { students: true })
  const { instructor, teacher, students, courseId, assignmentId, submissionIds, params } = built
  const [ada, ben] = students as [Person, Person]
  await teacher.send(updateAssignment, { params, body: { due_at: DUE.toISOString(), late_rule: 'mark_late' } })
  const [first = 0, second = 0] = submissionIds
  // Handed in at this time.
  await SubmissionModel.updateOne(
    { _id: first },
    { $set: { handed_in_by: 'student', created_at: hoursAfterDue(lateHours), late: lateHours > 0 } },
  )
  const open = async (submissionId: number) =>
    (await teacher.send(getSubmission, { params: { ...params, submissionId } })).body
  const grade = (submissionId: number, overall_score: number) =>
    decideGrade(teacher, { ...params, submissionId }, { overall_score })
  await grade(first, 72)
  await grade(second, 40)
  const rules = async () => (await teacher.send(getScoreRules, { params })).body
  const save = async (wanted: WantedRules, version?: number) =>
    teacher.send(setScoreRules, { params, body: { ...wanted, version: version ?? (await rules()).version } })
  const settled = async (): Promise<AssignmentScoreRules> => {
    await expect.poll(async () => (await rules()).releasing).toBeNull()
    return rules()
  }
  const seen = async (who: Person) => (await api.as(who).send(getStudentAssignment, { params })).body
  const mails = async (who: Person) =>
    (await readMailsTo(server.running.services.config.dataDir, `${who.username}@school.example`)).filter(
      ({ subject }) => subject.startsWith('Your grade'),
    ).length
  const publish = async () => {
    expect((await teacher.send(publishAssignment, { params })).status).toBe(200)
  }
  return {
    ...{ instructor, teacher, ada, ben, courseId, assignmentId, params, first, second },
    ...{ open, grade, rules, save, settled, seen, mails, publish },
  }
}
const freshClass = keepState(() => buildClass())

describe('a late penalty', () => {
  it('is taken from papers students handed in late, apart from the score as graded, and nothing is stored by looking', async () => {
    const { teacher, params, first, second, save, rules, open } = await freshClass()
    const preview = await teacher.send(previewScoreRules, { params, body: LATE })
    expect(preview.body).toMatchObject({ papers: 2, changed: 1, penalized: 1, released: 0, released_changed: 0 })
    expect([preview.body.mean_before, preview.body.mean_after]).toEqual([56, 46])
    expect(preview.body.before).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 0, 0])
    expect(preview.body.after).toEqual([0, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    expect(await rules()).toMatchObject({ version: 0, late_penalty: null, previous: null, changed: null })
    expect(await open(first)).not.toHaveProperty('adjusted')

    expect((await save(LATE)).body).toMatchObject({ version: 1, late_penalty: TEN_A_DAY, previous: NONE })
    expect(await open(first)).toMatchObject({
      final_score_after_review: 72,
      grade: { final_score_after_review: 72 },
      adjusted: { raw_score: 72, score: 52, steps: [{ kind: 'late', days: 2, from: 14.4, to: 10.4 }] },
    })
    expect(await open(second)).not.toHaveProperty('adjusted')
    expect((await teacher.send(getAssignment, { params })).body).toMatchObject({ late_penalty: TEN_A_DAY })
    const rows = (await teacher.send(listSubmissions, { params })).body
    expect(rows.map(({ adjusted }) => adjusted?.score)).toEqual([52, undefined])
  })

  it('follows a due date that is moved and an extension, also once released', async () => {
    const { teacher, ada, params, first, save, seen, settled, publish, open } = await freshClass()
    await save(LATE)
    await publish()
    expect(await seen(ada)).toMatchObject({ overall_score: 52, adjusted: { raw_score: 72 }, late_penalty: TEN_A_DAY })
    const due = (hours: number) =>
      teacher.send(updateAssignment, { params, body: { due_at: hoursAfterDue(hours).toISOString() } })
    await due(12)
    await settled()
    expect(await seen(ada)).toMatchObject({ overall_score: 62 })
    await teacher.send(setExtension, {
      params: { ...params, studentId: ada.id },
      body: { due_at: hoursAfterDue(48).toISOString() },
    })
    await settled()
    expect(await seen(ada)).toMatchObject({ overall_score: 72, late: false })
    expect(await seen(ada)).not.toHaveProperty('adjusted')
    expect(await open(first)).not.toHaveProperty('adjusted')
  })

  it('is not taken within the grace period', async () => {
    const { first, save, open } = await buildClass({ lateHours: 0.4 })
    await save(LATE)
    expect(await open(first)).toMatchObject({ late: true })
    expect(await open(first)).not.toHaveProperty('adjusted')
  })

  it('counts calendar days of the course’s time zone, also of released scores when it is changed', async () => {
    // 20 days less the grace period by UTC; in London clocks have gone forward by then.
    const { teacher, courseId, first, save, publish, settled, open } = await buildClass({ lateHours: 20 * 24 + 0.4 })
    await save({ late_penalty: { ...TEN_A_DAY, percent_per_day: 1 }, adjustment: null })
    await publish()
    const score = async () => (await open(first)).adjusted?.score
    expect(await score()).toBe(52)
    const setZone = (time_zone: string) =>
      teacher.send(updateCourse, { params: { courseId }, body: { name: 'Physics', time_zone } })
    expect((await setZone('Europe/London')).body.time_zone).toBe('Europe/London')
    await settled()
    expect(await score()).toBe(51)
    expect(await setZone('Europe/Nowhere')).toMatchObject({ status: 422 })
  })

  it('needs late work to be marked late, and sensible numbers', async () => {
    const { teacher, params, save } = await freshClass()
    const wrong = await save({ late_penalty: { ...TEN_A_DAY, percent_per_day: 0 }, adjustment: null })
    expect(wrong).toMatchObject({ status: 422 })
    await teacher.send(updateAssignment, { params, body: { late_rule: 'accept' } })
    const refused = await save(LATE)
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Choose “Mark late” for late work first') },
    })
  })

  it('is waived for one paper, and applied again, with an entry in the audit and in the grade’s history', async () => {
    const { teacher, ada, params, first, save, seen, publish } = await freshClass()
    await save(LATE)
    await publish()
    const waive = (waived: boolean) =>
      teacher.send(waiveLatePenalty, { params: { ...params, submissionId: first }, body: { waived } })
    expect((await waive(true)).body).toEqual({ late_waived: true, adjusted: null })
    expect(await seen(ada)).toMatchObject({ overall_score: 72 })
    expect((await waive(true)).status).toBe(200)
    expect((await waive(false)).body).toMatchObject({ late_waived: false, adjusted: { score: 52 } })
    expect(await seen(ada)).toMatchObject({ overall_score: 52 })
    const { body } = await teacher.send(getGradeHistory, { params: { ...params, submissionId: first } })
    expect(body.events.map(({ action }) => action).filter((action) => action.startsWith('late_'))).toEqual([
      'late_penalty.waived',
      'late_penalty.restored',
    ])
    expect(body).toMatchObject({ final_score_after_review: 72, adjusted: { score: 52 } })
  })
})

describe('an uploaded paper', () => {
  it('is as late as its teacher says, for its student, gradebook and export too, until that is withdrawn', async () => {
    const { teacher, ben, courseId, params, first, second, open, save, seen, publish } = await freshClass()
    await save(LATE)
    await publish()
    const { created_at: uploaded } = await open(second)
    const say = (at: string | null, submission_ids = [second]) =>
      teacher.send(setHandInTimes, { params, body: { submission_ids, at } })
    const shown = async (score: number) => expect.poll(async () => (await seen(ben)).overall_score).toBe(score)
    const at = hoursAfterDue(25).toISOString()
    expect((await say(at, [first, second])).body).toEqual({ changed: 1, left_out: 1 })
    const { adjusted, ...row } = await open(second)
    expect(row).toMatchObject({ late: true, said_hand_in: 'time', created_at: at, handed_in_by: 'teacher' })
    expect(adjusted?.score).toBe(20)
    await shown(20)
    expect(await seen(ben)).toMatchObject({ late: true, submission_date: at, paper: { said_hand_in: 'time' } })
    const book = await teacher.send(getGradebook, { params: { courseId } })
    expect(book.body.rows.find(({ student_id }) => student_id === ben.id)?.cells[0]).toMatchObject({ late: true })
    expect(rowsOf((await teacher.send(exportGrades, { params })).text).join()).toContain(
      `${ben.username}@school.example,${at}`,
    )

    const extension = { params: { ...params, studentId: ben.id }, body: { due_at: hoursAfterDue(48).toISOString() } }
    await teacher.send(setExtension, extension)
    await shown(40)
    expect(await open(second)).toMatchObject({ late: false })

    await say('on_time')
    expect(await open(second)).toMatchObject({ late: false, said_hand_in: 'on_time', created_at: uploaded })
    await say(null)
    expect(await open(second)).not.toHaveProperty('said_hand_in')
    expect((await say(new Date(Date.now() + 3_600_000).toISOString())).status).toBe(422)
    const { body } = await teacher.send(getGradeHistory, { params: { ...params, submissionId: second } })
    const said = body.events.filter(({ action }) => action === 'submission.hand_in_said')
    expect(said.map(({ before, after }) => [before, after])).toEqual([
      [{ at: null }, { at }],
      [{ at }, { at: 'on_time' }],
      [{ at: 'on_time' }, { at: null }],
    ])
    // An extension would show whose it is.
    await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
    expect((await say('on_time')).status).toBe(409)
  })
})

describe('a shift or scale', () => {
  it('scales the best paper to 100 by a factor that later papers do not move', async () => {
    const { teacher, params, first, second, save, grade, open } = await freshClass()
    const wanted: WantedRules = { late_penalty: null, adjustment: { kind: 'scale_to_best' } }
    const preview = await teacher.send(previewScoreRules, { params, body: wanted })
    expect(preview.body).toMatchObject({ adjustment: { kind: 'scale', factor: 100 / 72 }, changed: 2, limited: 0 })
    expect((await save(wanted)).body.adjustment).toEqual({ kind: 'scale', factor: 100 / 72 })
    expect((await open(first)).adjusted?.score).toBe(100)
    expect((await open(second)).adjusted?.points).toEqual({ given: 11.11, of: 20 })
    await grade(second, 90)
    expect((await open(second)).adjusted?.score).toBe(100)
    expect((await open(first)).adjusted?.score).toBe(100)
  })

  it('refuses to scale to a best paper that has everything', async () => {
    const { save, grade, first } = await freshClass()
    await grade(first, 100)
    expect(await save({ late_penalty: null, adjustment: { kind: 'scale_to_best' } })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('No factor takes the best paper') },
    })
  })

  it('counts in what students see, the course’s figures, the CSV and the graded paper’s letter; the scores as graded stay', async () => {
    const { teacher, ada, ben, courseId, params, first, save, seen, settled, publish } = await freshClass()
    await publish()
    const preview = await teacher.send(previewScoreRules, { params, body: shift(30) })
    expect(preview.body).toMatchObject({
      released: 2,
      released_changed: 2,
      limited: 1,
      mean_before: 56,
      mean_after: 85,
    })
    await save(shift(30))
    await settled()
    expect(await seen(ada)).toMatchObject({
      overall_score: 100,
      adjusted: {
        raw_score: 72,
        score: 100,
        steps: [{ kind: 'shift', points_percent: 30, from: 14.4, to: 20, limited: true }],
      },
    })
    expect(await seen(ben)).toMatchObject({ overall_score: 70 })
    const dashboard = (await api.as(ben).send(getStudentDashboard)).body
    expect(dashboard).toMatchObject({ grade_summary: { average_score: 70 }, recent_grades: [{ overall_score: 70 }] })
    expect((await teacher.send(getCourseAnalytics, { params: { courseId } })).body.course_average_grade).toBe(85)
    const [header = '', row = ''] = rowsOf((await teacher.send(exportGrades, { params })).text)
    expect(header).toMatch(/,final_score,letter,.*,adjusted_score,adjustment,points,adjusted_points,max_points,/)
    expect(row).toMatch(/,100,A\+,no,.*,100,"?All scores \+30 %, up to full points: \+5\.6 points"?,14\.4,20,20,/)
    const { body } = await teacher.send(getGradeHistory, { params: { ...params, submissionId: first } })
    expect(body).toMatchObject({ final_score_after_review: 72, adjusted: { score: 100 } })
  })

  it('tells each student once whose released score has changed, and nobody about a draft', async () => {
    const { teacher, ada, ben, params, save, settled, publish, mails, rules } = await buildClass()
    await save(shift(5))
    await settled()
    await publish()
    await expect.poll(async () => [await mails(ada), await mails(ben)]).toEqual([1, 1])
    await save(LATE)
    await settled()
    await expect.poll(async () => [await mails(ada), await mails(ben)]).toEqual([2, 2])
    await save({ late_penalty: { ...TEN_A_DAY, percent_per_day: 20 }, adjustment: null })
    await settled()
    await expect.poll(async () => [await mails(ada), await mails(ben)]).toEqual([3, 2])
    await teacher.send(unpublishAssignment, { params })
    await save(shift(1))
    expect(await settled()).toEqual(await rules())
    await server.running.services.jobs.drain(`assignment:${params.assignmentId}`)
    expect([await mails(ada), await mails(ben)]).toEqual([3, 2])
  })

  it('is undone exactly, and never by somebody who has not seen the newest rules', async () => {
    const { teacher, ada, ben, params, first, save, settled, seen, publish, open } = await freshClass()
    await publish()
    const before = [await seen(ada), await seen(ben)]
    const { version } = (await save({ ...LATE, adjustment: { kind: 'scale', factor: 1.1 } })).body
    expect((await save(shift(3), version - 1)).status).toBe(409)
    const both = await Promise.all([save(shift(1), version), save(shift(2), version)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const { previous } = await settled()
    expect(previous).toEqual({ late_penalty: TEN_A_DAY, adjustment: { kind: 'scale', factor: 1.1 } })
    await save(previous ?? NONE)
    await save(NONE)
    await settled()
    expect([await seen(ada), await seen(ben)]).toEqual(before)
    expect(await open(first)).not.toHaveProperty('adjusted')
    const admin = await buildPerson('admin')
    const audit = (await api.as(admin).send(listAudit, { query: { action: 'score_rules.changed', limit: 500 } })).body
    const mine = audit.filter(({ subjects }) =>
      subjects.some(({ kind, id }) => kind === 'assignment' && id === params.assignmentId),
    )
    expect(mine).toHaveLength(4)
    expect(mine[0]).toMatchObject({ after: NONE })
    expect((await teacher.send(getAssignment, { params })).body).not.toHaveProperty('score_adjustment')
  })

  it('leaves a grade that was changed and not released again as students see it', async () => {
    const { ada, first, save, settled, seen, publish } = await freshClass()
    await publish()
    await SubmissionModel.updateOne(
      { _id: first },
      { $set: { 'grade.manual_score_override': 10, 'grade.released': false }, $inc: { 'grade.revision': 1 } },
    )
    await save(shift(5))
    await settled()
    expect(await seen(ada)).toMatchObject({ overall_score: 77, adjusted: { raw_score: 72 } })
  })

  it('is in both scores of an answered regrade request', async () => {
    const { teacher, ada, params, first, save, settled, seen, publish } = await freshClass()
    await save(shift(5))
    await publish()
    await settled()
    await api.as(ada).send(requestRegrade, { params, body: { reason: 'Please look again.' } })
    const ids = { ...params, submissionId: first }
    const [asked] = (await teacher.send(listRegrades, { params: ids })).body
    const answered = await teacher.send(answerRegrade, {
      params: { ...ids, regradeId: asked?.id ?? 0 },
      body: { answer: 'It stays.' },
    })
    expect(answered.status).toBe(200)
    expect((await seen(ada)).regrades).toMatchObject([{ score_when_asked: 77, score_when_answered: 77 }])
  })

  it('and a grade changed at the same moments end in what both say', async () => {
    const { ada, first, save, settled, seen, publish, grade } = await freshClass()
    await publish()
    for (const points of [1, 2, 3, 4, 5]) {
      await Promise.all([save(shift(points)), grade(first, 40 + points)])
      await settled()
      expect(await seen(ada)).toMatchObject({ overall_score: 40 + 2 * points, adjusted: { raw_score: 40 + points } })
    }
  })
})

describe('other dates', () => {
  it('are shown with the scores they would change before they are saved, and what was shown comes true', async () => {
    const { teacher, ada, params, save, settled, seen, publish } = await freshClass()
    await save(LATE)
    await publish()
    await settled()
    const late = (await seen(ada)).overall_score
    expect(late).toBeLessThan(72)
    const preview = async (body: DatesToPreview) => (await teacher.send(previewDates, { params, body })).body
    const none = { released: 2, released_changed: 0, changed: 0, penalized: 1 }
    expect(await preview({ due_at: DUE.toISOString() })).toMatchObject(none)
    const raised = { released_changed: 1, changed: 1, penalized: 0, mean_after: 56 }
    expect(await preview({ due_at: hoursAfterDue(48).toISOString() })).toMatchObject(raised)
    expect(await preview({ late_rule: 'accept' })).toMatchObject(raised)
    const dates = { due_at: hoursAfterDue(30).toISOString(), closes_at: null }
    expect(await preview({ extension: { student_id: ada.id, dates } })).toMatchObject(raised)
    expect((await seen(ada)).overall_score).toBe(late)
    await teacher.send(setExtension, { params: { ...params, studentId: ada.id }, body: dates })
    await settled()
    expect((await seen(ada)).overall_score).toBe(72)
    expect(await preview({ extension: { student_id: ada.id, dates: null } })).toMatchObject({
      released_changed: 1,
      penalized: 1,
      mean_before: 56,
    })
    const early = { due_at: hoursAfterDue(-1).toISOString(), closes_at: null }
    const wrong = { extension: { student_id: ada.id, dates: early } }
    expect((await teacher.send(previewDates, { params, body: wrong })).status).toBe(422)
  })

  it('of one student are not previewed while names are hidden', async () => {
    const { teacher, ada, params } = await freshClass()
    await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
    const body = { extension: { student_id: ada.id, dates: null } }
    expect((await teacher.send(previewDates, { params, body })).status).toBe(409)
    expect((await teacher.send(previewDates, { params, body: { late_rule: 'accept' } })).status).toBe(200)
  })
})
