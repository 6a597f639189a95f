import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { decideAnswers } from '@assay/shared/questions.ts'
import { answerRegrade, listRegrades, requestRegrade } from '@assay/shared/regrades.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { countSubmissions, deleteSubmission, getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildAssignment, buildGraded, correctAnswers, decideGrade, weakAnswers } from '../../testing/build-course.ts'
import { readMailsTo } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { releaseNotificationJob } from '../grades/release-notification.ts'

const { api, server } = useTestApi()

/** Not the mails that enrolment and publishing send. */
const aboutGrades = /^(Your grade is ready|Your regrade request was answered|Regrade request)/

/** Subjects, once there are as many as expected. */
async function mailsTo(person: Person, wanted: number): Promise<string[]> {
  const subjects = async () =>
    (await readMailsTo(server.running.services.config.dataDir, `${person.username}@school.example`))
      .map(({ subject }) => subject)
      .filter((subject) => aboutGrades.test(subject))
  await expect.poll(subjects).toHaveLength(wanted)
  return subjects()
}

async function buildTwo({ published = true } = {}) {
  const { instructor, students, courseId, assignmentId, submissionIds, params } = await buildGraded(
    api,
    [weakAnswers, correctAnswers],
    { students: true, names: ['Ada', 'Ben'] },
  )
  const [student, classmate] = students as [Person, Person]
  const submissionId = submissionIds[0] ?? 0
  const publish = () => api.as(instructor).send(publishAssignment, { params })
  if (published) await publish()
  const ids = { assignmentId, submissionId }
  const ask = (body: { reason: string; criterion_id?: number }, who = student) =>
    api.as(who).send(requestRegrade, { params, body })
  const answer = (regradeId: number, words = 'I have looked again.') =>
    api.as(instructor).send(answerRegrade, { params: { ...ids, regradeId }, body: { answer: words } })
  const override = (overall_score: number | null) => decideGrade(api.as(instructor), ids, { overall_score })
  const seen = async (who = student) => (await api.as(who).send(getStudentAssignment, { params })).body
  return { instructor, student, classmate, courseId, ...ids, publish, ask, answer, override, seen }
}

describe('a regrade request', () => {
  it('reaches the teacher with its reason, and marks the row', async () => {
    const { instructor, assignmentId, submissionId, ask, seen } = await buildTwo()
    const criterion = (await seen()).criterion_grades[0]
    const asked = await ask({ reason: ' I did mention density. ', criterion_id: criterion?.id ?? 0 })
    expect([asked.status, asked.body]).toMatchObject([
      201,
      { state: 'open', reason: 'I did mention density.', criterion: { text: criterion?.criterion_text } },
    ])
    const params = { assignmentId, submissionId }
    expect((await api.as(instructor).send(listRegrades, { params })).body).toEqual([asked.body])
    const rows = (await api.as(instructor).send(listSubmissions, { params })).body
    expect(rows.map(({ regrade }) => regrade)).toEqual(['open', null])
    const query = { status: 'regrade' } as const
    const waiting = (await api.as(instructor).send(listSubmissions, { params, query })).body
    expect(waiting.map(({ id }) => id)).toEqual([submissionId])
    expect((await api.as(instructor).send(countSubmissions, { params })).body.regrade).toBe(1)
    expect(await mailsTo(instructor, 1)).toEqual(['Regrade request: Water and heat'])
  })

  it('is possible once for each released grade, also when sent twice at the same moment', async () => {
    const { student, ask, answer, override, seen } = await buildTwo()
    await api.as(student).token()
    const twice = await Promise.all([ask({ reason: 'One' }), ask({ reason: 'Two' })])
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await seen()).toMatchObject({ can_ask_regrade: false, regrades: [{ state: 'open' }] })
    await answer(twice.find(({ status }) => status === 201)?.body.id ?? 0)
    expect((await ask({ reason: 'Again' })).body.message).toContain('already requested a regrade')
    await override(70)
    expect((await seen()).can_ask_regrade).toBe(true)
    expect((await ask({ reason: 'And again' })).status).toBe(201)
  })

  it('needs a reason, a released grade, and a criterion of one’s own grade', async () => {
    const { classmate, ask, publish, seen } = await buildTwo({ published: false })
    expect((await ask({ reason: 'Please' })).status).toBe(404)
    await publish()
    expect((await ask({ reason: '  ' })).status).toBe(422)
    const theirs = (await seen(classmate)).criterion_grades[0]?.id ?? 0
    expect((await ask({ reason: 'Please', criterion_id: theirs })).status).toBe(404)
  })

  it('is refused with a message while the grade is not released', async () => {
    const { student, courseId, instructor } = await buildTwo()
    const other = await buildAssignment(api, { instructor, courseId }, [])
    const params = { assignmentId: other.assignmentId }
    await api.as(instructor).send(publishAssignment, { params })
    const reply = await api.as(student).send(requestRegrade, { params, body: { reason: 'Please' } })
    expect([reply.status, reply.body.message]).toEqual([409, 'You can request a regrade once your grade is released.'])
  })
})

describe('the answer', () => {
  it.each([
    [0, 'lowered'],
    [100, 'granted'],
    [null, 'declined'],
  ])('after the score became %s tells the student that the request was %s', async (score, outcome) => {
    const { ask, answer, override, seen } = await buildTwo()
    const { body: request } = await ask({ reason: 'Please look at 1 again' })
    if (score !== null) await override(score)
    await answer(request.id)
    expect((await seen()).regrades).toMatchObject([{ outcome }])
  })

  it('reaches the student with the current grade, is mailed and recorded in the audit log', async () => {
    const { student, assignmentId, submissionId, instructor, ask, answer, override, seen } = await buildTwo()
    const { body: request } = await ask({ reason: 'Please look at 1 again' })
    await mailsTo(student, 1)
    await override(77)
    await mailsTo(student, 2)
    expect((await answer(request.id, 'You are right.')).body).toMatchObject({
      state: 'answered',
      score_when_answered: 77,
    })
    expect(await seen()).toMatchObject({
      overall_score: 77,
      regrades: [{ answer: 'You are right.', score_when_asked: request.score_when_asked }],
    })
    const params = { assignmentId, submissionId }
    const row = (await api.as(instructor).send(getSubmission, { params })).body
    expect(row.regrade).toBe('answered')
    expect((await mailsTo(student, 3)).at(-1)).toBe('Your regrade request was answered: Water and heat')
    const audit = await AuditModel.find({ 'subject.regrade_id': request.id }).lean()
    expect(audit.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['regrade.asked', student.id],
      ['regrade.answered', instructor.id],
    ])
  })

  it('is accepted once', async () => {
    const { ask, answer, seen } = await buildTwo()
    const { body } = await ask({ reason: 'Please' })
    await answer(body.id, 'First')
    expect((await answer(body.id, 'Second')).status).toBe(409)
    expect((await seen()).regrades[0]?.answer).toBe('First')
  })

  it('is deleted with its submission', async () => {
    const { instructor, assignmentId, submissionId, ask } = await buildTwo()
    await ask({ reason: 'Please' })
    await api.as(instructor).send(deleteSubmission, { params: { assignmentId, submissionId } })
    expect(await RegradeModel.countDocuments({ submission_id: submissionId })).toBe(0)
  })
})

describe('the mail about a released grade', () => {
  const subject = 'Your grade is ready: Water and heat'

  /** Once nothing has been changed for a while. */
  async function expectOneMailLater(student: Person, { assignmentId, submissionId }: Record<string, number>) {
    const mails = { name: 'tell-released', group: `assignment:${assignmentId}` }
    await expect
      .poll(() => JobModel.findOne(mails).lean())
      .toMatchObject({ status: 'queued', error: expect.any(String) })
    expect(await JobModel.countDocuments(mails)).toBe(1)
    expect(await mailsTo(student, 1)).toEqual([subject])
    await SubmissionModel.updateOne({ _id: submissionId }, { $set: { updated_at: new Date(0) } })
    await JobModel.updateOne(mails, { $set: { run_at: new Date() } })
    expect(await mailsTo(student, 2)).toEqual([subject, subject])
  }

  it('is sent once for each grade, and not for unpublishing or publishing again', async () => {
    const { instructor, student, classmate, assignmentId, publish, override } = await buildTwo()
    expect(await mailsTo(student, 1)).toEqual([subject])
    await api.as(instructor).send(unpublishAssignment, { params: { assignmentId } })
    await publish()
    await override(70)
    expect(await mailsTo(student, 2)).toEqual([subject, subject])
    expect(await mailsTo(classmate, 1)).toEqual([subject])
  })

  it('is one for points that are saved one after the other, once none has changed for a while', async () => {
    const { instructor, student, assignmentId, submissionId, override } = await buildTwo()
    await mailsTo(student, 1)
    const params = { assignmentId, submissionId }
    const grade = (await api.as(instructor).send(getSubmission, { params })).body.grade
    if (!grade) throw new Error('a grade')
    for (const { criterion_id, max_score } of grade.criterion_grades_collection) {
      const criteria = [{ criterion_id, score: max_score }]
      await decideGrade(api.as(instructor), params, { reviewed: false, criteria })
    }
    await expectOneMailLater(student, { assignmentId, submissionId })
    await override(70)
    await mailsTo(student, 3)
  })

  it('is one for five decisions by question', async () => {
    const { instructor, student, assignmentId, submissionId } = await buildTwo()
    await mailsTo(student, 1)
    const { grade } = (await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })).body
    const { question_id = '', criterion_id = '' } = grade?.criterion_grades_collection[0] ?? {}
    const params = { assignmentId, questionId: question_id }
    let decided: Record<string, number> | null = null
    for (const score of [1, 0, 1, 0, 1]) {
      const points: Record<string, number> = { [criterion_id]: score }
      const body = { answers: [{ submission_id: submissionId, decided }], points }
      expect((await api.as(instructor).send(decideAnswers, { params, body })).body.changed).toEqual([submissionId])
      decided = points
    }
    await expectOneMailLater(student, { assignmentId, submissionId })
  })

  it.each([
    ['not sent', 'alone', false],
    ['sent', 'a minute after another change', true],
  ])('is %s where a regrade request is granted %s', async (_sent, _when, changedBefore) => {
    const { instructor, student, assignmentId, submissionId, ask } = await buildTwo()
    await mailsTo(student, 1)
    await expect.poll(() => JobModel.countDocuments({ name: 'tell-released' })).toBe(0)
    const { body: request } = await ask({ reason: 'Please look at 1 again' })
    const teacher = api.as(instructor)
    const { grade } = (await teacher.send(getSubmission, { params: { assignmentId, submissionId } })).body
    const [first, second] = grade?.criterion_grades_collection.filter((one) => one.score !== one.max_score) ?? []
    const pointsFor = (one = first) => ({ [one?.criterion_id ?? '']: one?.max_score ?? 0 })
    if (changedBefore) {
      const params = { assignmentId, questionId: second?.question_id ?? '' }
      const body = { answers: [{ submission_id: submissionId, decided: null }], points: pointsFor(second) }
      expect((await teacher.send(decideAnswers, { params, body })).body.changed).toEqual([submissionId])
    }
    const params = { assignmentId, submissionId, regradeId: request.id }
    const grant = { question_id: first?.question_id ?? '', points: pointsFor(), decided: null }
    expect((await teacher.send(answerRegrade, { params, body: { answer: 'Yes.', grant } })).status).toBe(200)
    const answered = 'Your regrade request was answered: Water and heat'
    expect(await mailsTo(student, 2)).toEqual([subject, answered])
    const job = releaseNotificationJob(server.running.services)
    await SubmissionModel.updateOne({ _id: submissionId }, { $set: { updated_at: new Date(0) } })
    const { signal } = new AbortController()
    await JobModel.deleteMany({ name: 'tell-released' })
    await job.run({ assignmentId, submissionId: null, at: 1, debounced: true }, signal, 'test')
    await expect.poll(() => JobModel.countDocuments({ name: /mail/ })).toBe(0)
    const subjects = await mailsTo(student, changedBefore ? 3 : 2)
    expect(subjects).toEqual([subject, answered, ...(changedBefore ? [subject] : [])])
  })

  it('is sent once when two look at the same moment for whom to mail', async () => {
    const { student, assignmentId, submissionId } = await buildTwo()
    await mailsTo(student, 1)
    // Noted only after the mail is queued.
    await expect.poll(() => JobModel.countDocuments({ name: 'tell-released' })).toBe(0)
    await SubmissionModel.updateOne({ _id: submissionId }, { $unset: { told_release: '' } })
    const job = releaseNotificationJob(server.running.services)
    const { signal } = new AbortController()
    await Promise.all(
      [1, 2].map((at) => job.run({ assignmentId, submissionId: null, at, debounced: false }, signal, 'test')),
    )
    await expect.poll(() => JobModel.countDocuments({ name: /mail/ })).toBe(0)
    expect(await mailsTo(student, 2)).toEqual([subject, subject])
  })

  it('contains no score', async () => {
    const { student, override } = await buildTwo()
    await mailsTo(student, 1)
    await override(71.5)
    await mailsTo(student, 2)
    const mails = await readMailsTo(server.running.services.config.dataDir, `${student.username}@school.example`)
    expect(JSON.stringify(mails)).not.toContain('71.5')
  })

  it('respects the student’s notification settings', async () => {
    const { student, classmate, publish } = await buildTwo({ published: false })
    const wishes = { email: true, grades: false, courses: true, reminders: true }
    await UserModel.updateOne({ _id: student.id }, { $set: { notifications: wishes } })
    await publish()
    await mailsTo(classmate, 1)
    expect(await mailsTo(student, 0)).toEqual([])
  })
})
