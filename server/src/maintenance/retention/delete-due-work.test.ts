import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getAssignment, publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it, vi } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../../records/grading/grade.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'
import { SimilarityReportModel } from '../../records/grading/similarity-report.model.ts'
import { LtiScoreModel } from '../../records/lti/score.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { ageAssignment, buildAssignment, buildCourse } from '../../testing/build-course.ts'
import { buildManySubmissions } from '../../testing/build-many-submissions.ts'
import {
  buildLmsClass,
  gradebookOf,
  publish,
  scoreCountsOf,
  useFakeLmss,
  waitForScoreDelivery,
} from '../../testing/lms-class.ts'
import type { Person } from '../../testing/server.ts'
import { deleteDueWork } from './retention-job.ts'
import {
  DAY,
  oldRegrade,
  oldScan,
  papersOf,
  start,
  stored,
  useOldCourses,
  yearsAgo,
} from './testing/use-old-courses.ts'

const school = useOldCourses()
const lmsOf = useFakeLmss()

describe('a deletion', () => {
  it('comes after the 14 days and not before, leaves the assignment, and says so', async () => {
    const { instructor, courseId, old, older, recent } = await school.buildNoticed()
    school.moveTo(start + 14 * DAY - 1)
    await school.review({ all: true })
    expect(await papersOf(old.assignmentId)).toBe(3)
    school.moveTo(start + 14 * DAY)
    await school.review()
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([0, 0])
    expect(await papersOf(recent.assignmentId)).toBe(2)
    expect(await GradeDetailsModel.countDocuments({ submission_id: { $in: [...old.ids, ...older.ids] } })).toBe(0)

    const { body } = await school.api.as(instructor).send(getAssignment, old)
    expect(body).toMatchObject({
      counts: { submissions: 0 },
      work_deleted_at: new Date(start + 14 * DAY).toISOString(),
    })
    expect(body.work_deletion_at).toBeUndefined()
    expect((await school.api.as(instructor).send(listSubmissions, { ...old, query: {} })).body).toEqual([])
    const gone = { params: { ...old.params, submissionId: old.ids[0] ?? 0 } }
    expect((await school.api.as(instructor).send(getSubmission, gone)).status).toBe(404)
    const entries = await AuditModel.find({ action: 'assignment.work_deleted', 'subject.course_id': courseId }).lean()
    expect(entries).toHaveLength(2)
    expect(entries.find(({ subject }) => subject.assignment_id === old.assignmentId)).toMatchObject({
      actor_role: 'system',
      subject: { course_id: courseId, assignment_id: old.assignmentId },
      after: { papers: 3, by: 'the retention rule' },
    })
    await school.review({ all: true })
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
    expect(await school.mailsTo(instructor)).toHaveLength(1)
  })

  it('does not come where somebody was at work in the last of the 14 days', async () => {
    const { old, older, courseId } = await school.buildNoticed()
    school.moveTo(start + 14 * DAY)
    await SubmissionModel.updateOne({ _id: old.ids[0] ?? 0 }, { $set: { updated_at: new Date(start + 13 * DAY) } })
    await RegradeModel.create(oldRegrade(older.assignmentId, older.ids[0] ?? 0, null))
    await school.review()
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([3, 4])
    expect(await AuditModel.countDocuments({ action: 'assignment.work_deleted', 'subject.course_id': courseId })).toBe(
      0,
    )
  })

  it('is refused by the job itself where it was queued too early, or somebody was at work since', async () => {
    const { old } = await school.buildNoticed()
    const { services } = school.server.running
    const remove = () => deleteDueWork(old.assignmentId, services, new AbortController().signal)
    school.moveTo(start + 14 * DAY - 1)
    await remove()
    expect(await papersOf(old.assignmentId)).toBe(3)
    school.moveTo(start + 14 * DAY)
    await SubmissionModel.updateOne({ _id: old.ids[0] ?? 0 }, { $set: { updated_at: new Date(start + 13 * DAY) } })
    await remove()
    expect(await papersOf(old.assignmentId)).toBe(3)
  })

  it('takes along what other records have of the papers, and keeps what is the assignment’s', async () => {
    const { old } = await school.buildNoticed()
    const { assignmentId, ids } = old
    const at = yearsAgo(3)
    const kept = { placeholder: 'Deleted student 4f2a', final_score: 50, released_at: at }
    await RetainedGradeModel.create({ _id: ids[0] ?? 0, assignment_id: assignmentId, ...kept })
    await RegradeModel.create(oldRegrade(assignmentId, ids[0] ?? 0, at))
    await ClassScanModel.create(oldScan(assignmentId, at))
    const compared = { enabled: true, state: 'done' as const, compared_at: at, papers: 3, pairs: [], dismissed: {} }
    await SimilarityReportModel.create({ _id: assignmentId, ...compared })
    school.moveTo(start + 14 * DAY)
    await school.review()
    const mine = { assignment_id: assignmentId }
    const left = await Promise.all([
      RetainedGradeModel.countDocuments(mine),
      RegradeModel.countDocuments(mine),
      ClassScanModel.countDocuments(mine),
      SimilarityReportModel.countDocuments({ _id: assignmentId }),
    ])
    expect(left).toEqual([0, 0, 0, 0])
    expect(await stored(assignmentId)).toMatchObject({ blank: { name: 'blank.pdf' }, key: { name: 'key.pdf' } })
  })

  it('lets no run begin while it goes on', async () => {
    const { instructor, old } = await school.buildNoticed()
    const deleting = { since: new Date(start), papers: 3 }
    await AssignmentModel.updateOne({ _id: old.assignmentId }, { $set: { 'retention_notice.deleting': deleting } })
    const reply = await school.api.as(instructor).send(processAssignment, { params: old.params, body: { force: true } })
    expect(reply.body.error_code).toBe('run_in_progress')
  })

  it('refuses a paper that was on its way when it began, and says why', async () => {
    const built = await buildCourse(school.api, { students: 1 })
    const { assignmentId } = await buildAssignment(school.api, built, [])
    await buildManySubmissions(assignmentId, 2, { graded: 1 })
    await school.api.as(built.instructor).send(publishAssignment, { params: { assignmentId } })
    const student = built.students[0] as Person
    const finish = await beginHandIn(student, assignmentId)
    const since = new Date(start + DAY / 24)
    const notice = { warned_at: new Date(0), delete_at: since, papers: 2, mailed: true, deleting: { since, papers: 2 } }
    await AssignmentModel.updateOne(
      { _id: assignmentId },
      { $set: { retention_notice: notice, work_deleted_at: since, updated_at: yearsAgo(3) } },
    )
    school.moveTo(start + DAY / 12)
    const reply = await finish()
    expect(reply.error_code).toBe('hand_in_refused')
    expect(reply.message).toContain('were deleted on 2096-11-28 09:00 UTC under the retention rule')
    await school.review()
    expect((await stored(assignmentId))?.retention_notice).toBeUndefined()
    expect(await papersOf(assignmentId)).toBe(0)
  })

  it('leaves students nothing of it, and accepts papers again only once a teacher changes the assignment', async () => {
    const built = await buildCourse(school.api, { students: 1 })
    const student = built.students[0] as Person
    const { assignmentId } = await buildAssignment(school.api, built, [])
    const params = { assignmentId }
    const owner = { id: student.id, username: student.username }
    await buildManySubmissions(assignmentId, 1, { studentIds: [owner], graded: 1 })
    await school.api.as(built.instructor).send(publishAssignment, { params })
    await ageAssignment(assignmentId, yearsAgo(3))
    expect((await school.api.as(student).send(getStudentAssignment, { params })).body.is_graded).toBe(true)
    await school.setRule(built, 24)
    school.moveTo(start + 14 * DAY)
    await school.review()
    expect(await ReleaseModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    const { body } = await school.api.as(student).send(getStudentAssignment, { params })
    expect(body).toMatchObject({ is_graded: false, has_submission: false, paper: null, can_hand_in: false })
    expect(body.why_not).toMatch(/were deleted on 2096-12-12 08:00 UTC under the retention rule\. Ask your instructor/)
    const paper = { params, body: {}, files: { file: [{ name: 'mine.pdf', bytes: '%PDF-1.7\n' }] } }
    expect((await school.api.as(student).send(handInPaper, paper)).body.error_code).toBe('hand_in_refused')
    school.moveTo(start + 15 * DAY)
    await school.api.as(built.instructor).send(updateAssignment, { params, body: { name: 'Again this year' } })
    expect((await school.api.as(student).send(handInPaper, paper)).status).toBe(201)
  })

  it('leaves the scores an LMS has in its gradebook', async () => {
    const one = await buildLmsClass(school.server, school.api, await lmsOf('canvas'), { students: 2 })
    const built = { instructor: one.teacher, courseId: one.courseId }
    await publish(school.api, one)
    await waitForScoreDelivery(school.api, one)
    const before = gradebookOf(one)
    expect(before.every((points) => points !== null)).toBe(true)
    await ageAssignment(one.assignmentId, yearsAgo(3))
    await school.setRule(built, 24)
    school.moveTo(start + 14 * DAY)
    await school.review()
    expect(await papersOf(one.assignmentId)).toBe(0)
    expect(await LtiScoreModel.countDocuments({ assignment_id: one.assignmentId })).toBe(0)
    // The ledger of scores is compared with what is released.
    await school.api
      .as(one.teacher)
      .send(updateAssignment, { params: { assignmentId: one.assignmentId }, body: { name: 'Old' } })
    await publish(school.api, one)
    await settled()
    expect(gradebookOf(one)).toEqual(before)
    expect(scoreCountsOf(one)).toEqual([1, 1])
  })
})

async function beginHandIn(
  student: Person,
  assignmentId: number,
): Promise<() => Promise<{ error_code?: string; message?: string }>> {
  const upload = await school.api.as(student).startUpload(handInPaper, { assignmentId })
  upload.body.write('%PDF-1.7\n'.padEnd(50_000, 'words '))
  const uploads = join(school.server.running.services.config.dataDir, 'uploads')
  const arriving = async () => {
    const entries = await readdir(uploads, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  }
  await expect.poll(arriving).toBeGreaterThan(0)
  return async () => {
    upload.finish()
    return (await upload.reply).json() as Promise<{ error_code?: string; message?: string }>
  }
}

async function settled() {
  const due = AssignmentModel.db.collection('lti_ledgers_due')
  await vi.waitUntil(async () => (await due.countDocuments({})) === 0, { timeout: 180_000, interval: 50 })
}
