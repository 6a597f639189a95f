import { getAssignment, publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { addInstructor, getCourse } from '@assay/shared/courses.ts'
import { getCourseRetention, previewCourseRetention, setCourseRetention } from '@assay/shared/retention.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../../records/grading/grade.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RunModel } from '../../records/grading/run.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { ageAssignment } from '../../testing/age-assignment.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse, buildPerson } from '../../testing/build-course.ts'
import { buildManySubmissions } from '../../testing/build-many-submissions.ts'
import { buildLmsClass, gradebookOf, publish, scoreCountsOf, waitForScoreDelivery } from '../../testing/lms-class.ts'
import { readMailsTo } from '../../testing/outbox.ts'
import { useServer } from '../../testing/server.ts'
import { useFakeLmss } from '../../testing/use-fake-lmss.ts'
import { queueRetentionReview } from './retention-job.ts'

/** Far ahead, because the database removes sessions by the real clock. */
const start = Date.UTC(2096, 10, 28, 8)
const DAY = 24 * 60 * 60 * 1000
let now = start
const server = useServer({}, { clock: { now: () => new Date(now) } })
const lmsOf = useFakeLmss()
/** Signs everybody in again: a session does not last for days. */
let api = createTestApi(server)

function moveTo(at: number): void {
  now = at
  api = createTestApi(server)
}

beforeEach(() => moveTo(start))

const yearsAgo = (years: number) => new Date(Date.UTC(2096 - years, 10, 27, 8))
const pathOf = (courseId: number) => ({ params: { courseId } })

/** The mails about deletions that somebody has received, once the queue is empty. */
async function mailsTo({ username }: Person) {
  await idle()
  const mails = await readMailsTo(server.running.services.config.dataDir, `${username}@school.example`)
  return mails.filter(({ subject }) => subject.startsWith('Student work'))
}

/** Other jobs, such as an LMS's, come again and again. */
async function idle() {
  const ours = { name: { $in: ['review-retention', 'delete-due-work', 'send-mail'] } }
  await vi.waitUntil(async () => (await JobModel.countDocuments(ours)) === 0, { timeout: 20_000, interval: 50 })
}

/** What runs every hour, or with `all` every day. */
async function review({ all = false } = {}) {
  await queueRetentionReview(server.running.services, { all })
  await idle()
}

interface Old {
  years?: number
  papers?: number
  status?: 'draft' | 'published'
}

async function buildOld(built: { instructor: Person; courseId?: number }, { years = 3, papers = 2 }: Old = {}) {
  const { assignmentId } = await buildAssignment(api, built, [])
  const ids = await buildManySubmissions(assignmentId, papers, { graded: 1 })
  await ageAssignment(assignmentId, yearsAgo(years))
  return { assignmentId, ids, params: { assignmentId } }
}

const stored = (id: number) => AssignmentModel.findById(id, { rubric: 0 }).lean()
const papersOf = (assignment_id: number) => SubmissionModel.countDocuments({ assignment_id })

async function setRule(built: { instructor: Person; courseId: number }, months: number | null) {
  const reply = await api.as(built.instructor).send(setCourseRetention, { ...pathOf(built.courseId), body: { months } })
  expect(reply.status, reply.text).toBe(200)
  await idle()
  return reply.body
}

/** A course whose two assignments are older than its rule of two years; a third one is not. */
async function buildNoticed() {
  const built = await buildCourse(api, { students: 1 })
  const old = await buildOld(built, { papers: 3 })
  const older = await buildOld(built, { years: 5, papers: 4 })
  const recent = await buildOld(built, { years: 1 })
  const reply = await setRule(built, 24)
  return { ...built, old, older, recent, reply }
}

describe('the rule of a course', () => {
  it('is the school’s until it has its own, which also shields it for ever', async () => {
    const admin = await buildPerson('admin')
    const [follows, never] = [await buildCourse(api), await buildCourse(api)]
    const [old, kept] = [await buildOld(follows), await buildOld(never)]
    const alone = await buildOld({ instructor: follows.instructor })
    await setRule(never, 0)
    await review({ all: true })
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()

    const before = await api.as(follows.instructor).send(getCourseRetention, pathOf(follows.courseId))
    expect(before.body).toEqual({ months: null, school_months: 0, effective_months: 0, upcoming: [] })
    try {
      await api.as(admin).send(changeSystemSettings, { body: { retention_months: 24 } })
      await idle()
      const { body } = await api.as(follows.instructor).send(getCourseRetention, pathOf(follows.courseId))
      expect(body).toMatchObject({ months: null, school_months: 24, effective_months: 24 })
      expect(body.upcoming).toMatchObject([{ assignment_id: old.assignmentId, papers: 2 }])
      expect((await stored(kept.assignmentId))?.retention_notice).toBeUndefined()
      // Outside a course the school's rule holds, and its teacher is told.
      expect((await stored(alone.assignmentId))?.retention_notice).toMatchObject({ papers: 2, mailed: true })
      expect((await mailsTo(follows.instructor)).map(({ subject }) => subject)).toHaveLength(2)
    } finally {
      await api.as(admin).send(changeSystemSettings, { body: { retention_months: null } })
    }
    await review()
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
  })

  it('is audited with old and new, and once for the same', async () => {
    const built = await buildCourse(api)
    await setRule(built, 12)
    await setRule(built, 12)
    await setRule(built, null)
    const entries = await AuditModel.find({ action: 'course.retention_changed', 'subject.course_id': built.courseId })
      .sort({ _id: 1 })
      .lean()
    expect(entries).toMatchObject([
      { actor_id: built.instructor.id, before: { retention_months: null }, after: { retention_months: 12 } },
      { before: { retention_months: 12 }, after: { retention_months: null } },
    ])
  })

  it.each([-1, 1.5, 241])('is refused as %s months', async (months) => {
    const built = await buildCourse(api)
    const reply = await api
      .as(built.instructor)
      .send(setCourseRetention, { ...pathOf(built.courseId), body: { months } })
    expect(reply.status).toBe(422)
    expect((await CourseModel.findById(built.courseId).lean())?.retention_months).toBeUndefined()
  })

  it('says before a change what it would delete and spare', async () => {
    const built = await buildCourse(api)
    await buildOld(built, { papers: 3 })
    await buildOld(built, { years: 5, papers: 4 })
    const preview = async (months: number) =>
      (await api.as(built.instructor).send(previewCourseRetention, { ...pathOf(built.courseId), query: { months } }))
        .body
    const delete_at = new Date(start + 14 * DAY).toISOString()
    const nothing = { assignments: 0, papers: 0, noticed: 0, withdrawn: 0 }
    expect(await preview(24)).toEqual({ effective_months: 24, ...nothing, assignments: 2, papers: 7, delete_at })
    expect(await preview(48)).toMatchObject({ ...nothing, assignments: 1, papers: 4 })
    expect(await preview(0)).toMatchObject(nothing)
    await setRule(built, 48)
    expect(await preview(24)).toMatchObject({ ...nothing, assignments: 1, papers: 3, noticed: 1 })
    expect(await preview(120)).toMatchObject({ ...nothing, withdrawn: 1 })
  })
})

describe('a notice', () => {
  it('is given for what is older than the rule, with one mail for all of a course', async () => {
    const { instructor, courseId, old, older, recent, reply } = await buildNoticed()
    const delete_at = new Date(start + 14 * DAY).toISOString()
    expect(reply.upcoming).toEqual([
      { assignment_id: old.assignmentId, title: expect.any(String), papers: 3, delete_at },
      { assignment_id: older.assignmentId, title: expect.any(String), papers: 4, delete_at },
    ])
    const [mail, ...more] = await mailsTo(instructor)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Student work in Course .* will be deleted on 12 December 2096$/)
    expect(mail?.text).toContain('delete student work 2 years after the last activity')
    expect(mail?.text).toMatch(/: 3 papers\n.*: 4 papers\n/)
    expect(mail?.text).toContain(`/courses/${courseId}/edit`)

    expect((await api.as(instructor).send(getAssignment, recent)).body.work_deletion_at).toBeUndefined()
    expect((await api.as(instructor).send(getAssignment, old)).body.work_deletion_at).toBe(delete_at)
    const course = await api.as(instructor).send(getCourse, pathOf(courseId))
    expect(course.body.assignments.map(({ work_deletion_at }) => work_deletion_at)).toEqual([
      undefined,
      delete_at,
      delete_at,
    ])
    await review({ all: true })
    await review()
    expect(await mailsTo(instructor)).toHaveLength(1)
    expect((await stored(old.assignmentId))?.retention_notice?.delete_at.toISOString()).toBe(delete_at)
  })

  it('goes to every instructor who wants such mails, and is shown to students nowhere', async () => {
    const built = await buildCourse(api, { students: 1 })
    const [second, silent] = [await buildPerson('instructor'), await buildPerson('instructor')]
    for (const { username } of [second, silent])
      await api.as(built.instructor).send(addInstructor, { ...pathOf(built.courseId), body: { login: username } })
    const notifications = { email: true, grades: true, courses: false, reminders: true }
    await UserModel.updateOne({ _id: silent.id }, { $set: { notifications } })
    const { params } = await buildOld(built)
    await api.as(built.instructor).send(publishAssignment, { params })
    await ageAssignment(params.assignmentId, yearsAgo(3))
    await setRule(built, 24)
    expect(await mailsTo(built.instructor)).toHaveLength(1)
    expect(await mailsTo(second)).toHaveLength(1)
    expect(await mailsTo(silent)).toEqual([])
    const student = built.students[0] as Person
    const course = await api.as(student).send(getCourse, pathOf(built.courseId))
    expect(course.body.assignments).toHaveLength(1)
    expect(course.text).not.toContain('work_deletion_at')
  })

  it('is taken back by new activity, and by a longer rule at once', async () => {
    const { instructor, courseId, old, older } = await buildNoticed()
    const due_at = new Date(start + 30 * DAY).toISOString()
    await api.as(instructor).send(updateAssignment, { ...old, body: { due_at } })
    await review()
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
    expect((await stored(older.assignmentId))?.retention_notice).toBeDefined()
    expect((await setRule({ instructor, courseId }, 120)).upcoming).toEqual([])
    moveTo(start + 20 * DAY)
    await review({ all: true })
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([3, 4])
    const withdrawn = await AuditModel.countDocuments({
      action: 'assignment.work_deletion_withdrawn',
      'subject.course_id': courseId,
    })
    expect(withdrawn).toBe(2)
  })

  it.each<[string, (assignmentId: number, submissionId: number) => Promise<unknown>]>([
    ['a paper was changed', (_, id) => SubmissionModel.updateOne({ _id: id }, { $set: { updated_at: yearsAgo(1) } })],
    ['it was due later', (id) => AssignmentModel.updateOne({ _id: id }, { $set: { due_at: yearsAgo(1) } })],
    [
      'somebody had an extension',
      (id) =>
        AssignmentModel.updateOne(
          { _id: id },
          { $set: { extensions: [{ student_id: 1, due_at: yearsAgo(1), closes_at: null }] } },
        ),
    ],
    ['it was graded later', (id) => RunModel.create(run(id, { status: 'completed', finished_at: yearsAgo(1) }))],
    ['a regrade request was answered', (id, paper) => RegradeModel.create(regrade(id, paper, 'answered', yearsAgo(1)))],
    ['a regrade request is open', (id, paper) => RegradeModel.create(regrade(id, paper, 'open', null))],
    [
      'a run is under way',
      async (id) => {
        const { _id } = await RunModel.create(run(id, { status: 'grading', finished_at: null }))
        await AssignmentModel.updateOne({ _id: id }, { $set: { active_run_id: _id } })
      },
    ],
    ['a class scan was uploaded', (id) => ClassScanModel.create(scan(id, yearsAgo(1)))],
  ])('is not given where %s', async (_, happen) => {
    const built = await buildCourse(api, { students: 0 })
    const { assignmentId, ids } = await buildOld(built)
    await happen(assignmentId, ids[0] ?? 0)
    expect((await setRule(built, 24)).upcoming).toEqual([])
  })

  it('counts its 14 days from the mail where Assay did not run in between', async () => {
    const { old, instructor } = await buildNoticed()
    await AssignmentModel.updateOne({ _id: old.assignmentId }, { $set: { 'retention_notice.mailed': false } })
    moveTo(start + 15 * DAY)
    await review()
    expect(await papersOf(old.assignmentId)).toBe(3)
    expect((await stored(old.assignmentId))?.retention_notice).toMatchObject({
      mailed: true,
      delete_at: new Date(start + 29 * DAY),
    })
    expect(await mailsTo(instructor)).toHaveLength(2)
  })
})

describe('a deletion', () => {
  it('comes after the 14 days and not before, leaves the assignment, and says so', async () => {
    const { instructor, courseId, old, older, recent } = await buildNoticed()
    moveTo(start + 14 * DAY - 1)
    await review({ all: true })
    expect(await papersOf(old.assignmentId)).toBe(3)
    moveTo(start + 14 * DAY)
    await review()
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([0, 0])
    expect(await papersOf(recent.assignmentId)).toBe(2)
    expect(await GradeDetailsModel.countDocuments({ submission_id: { $in: [...old.ids, ...older.ids] } })).toBe(0)

    const { body } = await api.as(instructor).send(getAssignment, old)
    expect(body).toMatchObject({ counts: { submissions: 0 }, work_deleted_at: new Date(now).toISOString() })
    expect(body.work_deletion_at).toBeUndefined()
    expect((await api.as(instructor).send(listSubmissions, { ...old, query: {} })).body).toEqual([])
    const gone = { params: { ...old.params, submissionId: old.ids[0] ?? 0 } }
    expect((await api.as(instructor).send(getSubmission, gone)).status).toBe(404)
    const entries = await AuditModel.find({ action: 'assignment.work_deleted', 'subject.course_id': courseId }).lean()
    expect(entries).toHaveLength(2)
    expect(entries.find(({ subject }) => subject.assignment_id === old.assignmentId)).toMatchObject({
      actor_role: 'system',
      subject: { course_id: courseId, assignment_id: old.assignmentId },
      after: { papers: 3, by: 'the retention rule' },
    })
    // It is empty: nothing is announced or deleted again.
    await review({ all: true })
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
    expect(await mailsTo(instructor)).toHaveLength(1)
  })

  it('does not come where somebody was at work in the last of the 14 days', async () => {
    const { old, older, courseId } = await buildNoticed()
    moveTo(start + 14 * DAY)
    await SubmissionModel.updateOne({ _id: old.ids[0] ?? 0 }, { $set: { updated_at: new Date(start + 13 * DAY) } })
    await RegradeModel.create(regrade(older.assignmentId, older.ids[0] ?? 0, 'open', null))
    await review()
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([3, 4])
    expect(await AuditModel.countDocuments({ action: 'assignment.work_deleted', 'subject.course_id': courseId })).toBe(
      0,
    )
  })

  it('leaves students nothing of it, and accepts papers again only once a teacher changes the assignment', async () => {
    const built = await buildCourse(api, { students: 1 })
    const student = built.students[0] as Person
    const { assignmentId } = await buildAssignment(api, built, [])
    const params = { assignmentId }
    const owner = { id: student.id, username: student.username }
    await buildManySubmissions(assignmentId, 1, { studentIds: [owner], graded: 1 })
    await api.as(built.instructor).send(publishAssignment, { params })
    await ageAssignment(assignmentId, yearsAgo(3))
    expect((await api.as(student).send(getStudentAssignment, { params })).body.is_graded).toBe(true)
    await setRule(built, 24)
    moveTo(start + 14 * DAY)
    await review()

    expect(await ReleaseModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    const { body } = await api.as(student).send(getStudentAssignment, { params })
    expect(body).toMatchObject({ is_graded: false, has_submission: false, paper: null, can_hand_in: false })
    expect(body.why_not).toMatch(/were deleted on 2096-12-12 08:00 UTC under the school’s retention rule\.$/)
    const paper = { params, body: {}, files: { file: [{ name: 'mine.pdf', bytes: '%PDF-1.7\n' }] } }
    expect((await api.as(student).send(handInPaper, paper)).body.error_code).toBe('hand_in_refused')
    moveTo(start + 15 * DAY)
    await api.as(built.instructor).send(updateAssignment, { params, body: { name: 'Again this year' } })
    expect((await api.as(student).send(handInPaper, paper)).status).toBe(201)
  })

  it('leaves the scores an LMS has in its gradebook', async () => {
    const one = await buildLmsClass(server, api, await lmsOf('canvas'), { students: 2 })
    const built = { instructor: one.teacher, courseId: one.courseId }
    await publish(api, one)
    await waitForScoreDelivery(api, one)
    const before = gradebookOf(one)
    expect(before.every((points) => points !== null)).toBe(true)
    await ageAssignment(one.assignmentId, yearsAgo(3))
    await setRule(built, 24)
    moveTo(start + 14 * DAY)
    await review()
    expect(await papersOf(one.assignmentId)).toBe(0)
    // What would tell an LMS that a score is gone: the ledger is compared with what is released.
    await api
      .as(one.teacher)
      .send(updateAssignment, { params: { assignmentId: one.assignmentId }, body: { name: 'Old' } })
    await publish(api, one)
    await settled()
    expect(gradebookOf(one)).toEqual(before)
    expect(scoreCountsOf(one)).toEqual([1, 1])
  })
})

/** Until the score sender has looked at all that is due. */
async function settled() {
  const due = AssignmentModel.db.collection('lti_ledgers_due')
  await vi.waitUntil(async () => (await due.countDocuments({})) === 0, { timeout: 20_000, interval: 50 })
}

let ids = 900_000

const run = (assignment_id: number, more: object) => ({
  _id: ids++,
  assignment_id,
  started_by: 1,
  planned: [],
  started_at: yearsAgo(3),
  grading_since: null,
  ...more,
})

const regrade = (assignment_id: number, submission_id: number, state: string, answered_at: Date | null) => ({
  _id: ids++,
  ...{ assignment_id, submission_id, student_id: 1, state, reason: 'Please look again.', criterion: null },
  ...{ about: `1/${ids}`, asked_at: yearsAgo(3), score_when_asked: 50, answered_at },
})

const scan = (assignment_id: number, created_at: Date) => ({
  _id: ids++,
  ...{ assignment_id, created_by: 1, created_at, state: 'ready', files: [], revision: 0 },
  progress: { step: 'pages', done: 0, total: 0 },
  proposal: { papers: [], dropped: [], split: { by: 'blank', pages_per_paper: null } },
})
