import { getAssignment } from '@assay/shared/assignments.ts'
import { changeCourseRetention, getCourseRetention } from '@assay/shared/retention.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import { listSubmissions, uploadSubmissions } from '@assay/shared/submissions.ts'
import { afterEach, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse, buildPerson } from '../../testing/build-course.ts'
import { buildManySubmissions } from '../../testing/build-many-submissions.ts'
import { readMailsTo } from '../../testing/outbox.ts'
import { useServer } from '../../testing/server.ts'
import { monthsBefore } from './due-work.ts'
import { queueRetention } from './retention-work.ts'

/** Far ahead, because the database removes sessions by the real clock. */
const start = Date.UTC(2096, 2, 10, 9)
let now = start
const server = useServer({}, { clock: { now: () => new Date(now) } })
const api = createTestApi(server)
const DAY = 24 * 60 * 60 * 1000

afterEach(async () => {
  now = start
  const admin = api.as(await buildPerson('admin'))
  await admin.send(changeSystemSettings, { body: { retention_months: null } })
})

/** A course with one assignment and two papers, all handed in now. */
async function buildWork() {
  const course = await buildCourse(api, { students: 1 })
  const papers = ['a', 'b'].map((name) => ({ name: `${name}.pdf`, bytes: `%PDF-1.7\n%${name}\n` }))
  const { assignmentId } = await buildAssignment(api, course, papers)
  // Signed in anew each time: sessions end when the clock moves.
  const teacher = () => api.again(course.instructor)
  const params = { assignmentId }
  const courseParams = { courseId: course.courseId }
  return {
    ...course,
    teacher,
    assignmentId,
    setRule: async (months: number | null) =>
      (await teacher().send(changeCourseRetention, { params: courseParams, body: { months } })).body,
    preview: async (months: number) =>
      (await teacher().send(getCourseRetention, { params: courseParams, query: { months } })).body,
    assignment: async () => (await teacher().send(getAssignment, { params })).body,
    papers: async () => (await teacher().send(listSubmissions, { params, query: {} })).body.length,
    upload: (name: string) =>
      teacher().send(uploadSubmissions, {
        params,
        body: {},
        files: { files: [{ name, bytes: `%PDF-1.7\n%${name}\n` }] },
      }),
  }
}

/** As the process does several times a day. */
async function look(at: number): Promise<void> {
  now = at
  await queueRetention(server.running.services)
  const jobs = AssignmentModel.db.collection('jobs')
  await expect.poll(() => jobs.countDocuments({ name: { $in: ['apply-retention', 'send-mail'] } })).toBe(0)
}

const mails = async (person: Person) =>
  (await readMailsTo(server.running.services.config.dataDir, `${person.username}@school.example`)).filter(
    ({ subject }) => subject.startsWith('Student work in'),
  )

it('deletes the work of an assignment two weeks after it has said so, and keeps the assignment', async () => {
  const { instructor, assignmentId, setRule, assignment, papers, courseId } = await buildWork()
  const [graded] = await buildManySubmissions(assignmentId, 1, { graded: 1 })
  await SubmissionModel.updateOne({ _id: graded }, { $set: { updated_at: new Date(start) } })
  expect(await setRule(12)).toMatchObject({ own_months: 12, school_months: 0, due: null })
  await look(start + 364 * DAY)
  expect(await assignment()).not.toHaveProperty('work_deletes_at')

  const noticed = start + 370 * DAY
  await look(noticed)
  expect((await assignment()).work_deletes_at).toBe(new Date(noticed + 14 * DAY).toISOString())
  await look(noticed + 13 * DAY)
  expect(await papers()).toBe(3)
  const [mail, ...more] = await mails(instructor)
  expect(more).toEqual([])
  expect(mail?.subject).toContain('will be deleted on 29 March 2097')
  expect(mail?.text).toContain('Water and heat: 3 papers')
  expect(mail?.link).toBe(`/courses/${courseId}/edit`)

  await look(noticed + 14 * DAY)
  expect(await papers()).toBe(0)
  expect(await GradeDetailsModel.countDocuments({ submission_id: graded })).toBe(0)
  const after = await assignment()
  expect(after).not.toHaveProperty('work_deletes_at')
  expect(after.work_deleted_at).toBe(new Date(noticed + 14 * DAY).toISOString())
  const audited = await AuditModel.findOne({ action: 'assignment.work_deleted' }).lean()
  expect(audited).toMatchObject({ actor_role: 'system', subject: { assignment_id: assignmentId, course_id: courseId } })
  expect(audited?.before).toEqual({ papers: 3 })
})

it('takes the announcement back when something happens, the rule is made longer, or somebody asks for a regrade', async () => {
  const { setRule, assignment, papers, upload, assignmentId } = await buildWork()
  await setRule(6)
  await look(start + 200 * DAY)
  expect(await assignment()).toHaveProperty('work_deletes_at')
  await setRule(12)
  expect(await assignment()).not.toHaveProperty('work_deletes_at')
  await setRule(6)
  expect(await assignment()).toHaveProperty('work_deletes_at')

  now = start + 205 * DAY
  await upload('late')
  await look(start + 230 * DAY)
  expect(await assignment()).not.toHaveProperty('work_deletes_at')
  expect(await papers()).toBe(3)

  const [submission] = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
  if (!submission) throw new Error('no paper')
  await look(start + 400 * DAY)
  await RegradeModel.collection.insertOne({ _id: 1 as never, assignment_id: assignmentId, state: 'open' })
  await look(start + 420 * DAY)
  expect(await papers()).toBe(3)
  expect(await assignment()).not.toHaveProperty('work_deletes_at')
})

it('follows the school’s rule where a course has none', async () => {
  const { setRule, preview, assignment } = await buildWork()
  const keeps = await buildWork()
  await keeps.setRule(0)
  const admin = api.as(await buildPerson('admin'))
  await admin.send(changeSystemSettings, { body: { retention_months: 24 } })
  now = start + 800 * DAY
  expect(await preview(24)).toEqual({
    own_months: null,
    school_months: 24,
    due: { assignments: 1, papers: 2, delete_at: new Date(now + 14 * DAY).toISOString() },
  })
  expect((await preview(36)).due).toBeNull()
  await look(now)
  expect(await assignment()).toHaveProperty('work_deletes_at')
  expect(await keeps.assignment()).not.toHaveProperty('work_deletes_at')
  expect((await setRule(120)).due).toBeNull()
})

it('completes a deletion that was interrupted, and leaves what came after it had begun', async () => {
  const { setRule, upload, papers, assignment, assignmentId } = await buildWork()
  await setRule(6)
  const noticed = start + 200 * DAY
  await look(noticed)
  const begun_at = new Date(noticed + 14 * DAY)
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { 'work_deletion.begun_at': begun_at } })
  await SubmissionModel.deleteOne({ assignment_id: assignmentId })
  now = begun_at.getTime() + DAY
  await upload('new')
  await look(now)
  expect(await papers()).toBe(1)
  expect(await assignment()).toHaveProperty('work_deleted_at')
})

it.each([
  ['2096-03-31', 1, '2096-02-29'],
  ['2096-02-29', 12, '2095-02-28'],
  ['2096-08-31', 6, '2096-02-29'],
  ['2096-01-15', 2, '2095-11-15'],
])('is %s, %s months before: %s', (day, months, before) => {
  expect(monthsBefore(new Date(`${day}T09:30:00Z`), months)).toEqual(new Date(`${before}T09:30:00Z`))
})

it('refuses a rule that is no number of months', async () => {
  const { teacher, courseId } = await buildWork()
  const answer = await teacher().send(changeCourseRetention, { params: { courseId }, body: { months: -1 } })
  expect(answer.status).toBe(422)
})
