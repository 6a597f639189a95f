import { publishAssignment } from '@assay/shared/assignments.ts'
import { approveGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import { type CriterionGrade, overrideGrade } from '@assay/shared/grades.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { countSubmissions, listSubmissionIds } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { GradeDetailsModel, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { GradeApprovalModel } from '../../../records/grading/grade-approval.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildEmptyAssignment,
  buildGraded,
  buildPerson,
  correctAnswers,
  gradeAssignment,
} from '../../../testing/build-course.ts'
import { buildManySubmissions } from '../../../testing/build-many-submissions.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { findRubricHead } from '../../assignments/assignment.service.ts'
import { queueApprovals } from './grade-approval-jobs.ts'

const { api, server } = useTestApi()

const criterion = (id: number, confidence: number): CriterionGrade => ({
  id,
  criterion_id: `c${id}`,
  question_id: `q${id}`,
  criterion_text: 'Names the cause',
  score: 4,
  max_score: 5,
  llm_performance_level: 'good',
  llm_feedback: 'Mostly there.',
  confidence,
  evidence: [],
})

/** Of every ten papers one is flagged, and of every five one has a question the grader is not sure of. */
async function build(count: number) {
  const { instructor, assignmentId } = await buildEmptyAssignment(api)
  const ids = await buildManySubmissions(assignmentId, count, {
    graded: 1,
    criteria: (i) => [criterion(1, 0.9), criterion(2, i % 5 === 0 ? 0.5 : 0.9)],
  })
  const head = await findRubricHead(assignmentId)
  await SubmissionModel.updateMany(
    { assignment_id: assignmentId },
    { $set: { 'grade.rubric_version': head?.rubric_version ?? 0, 'grade.reviewed_at': null } },
  )
  const papers = await SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()
  const sure = papers.flatMap(({ _id, grade }, i) => (grade?.needs_review || i % 5 === 0 ? [] : [_id]))
  return { teacher: instructor, assignmentId, ids, sure }
}

const approvalsOf = async (teacher: Person, assignmentId: number) =>
  (await api.as(teacher).send(getGradeApprovals, { params: { assignmentId } })).body

async function settled(teacher: Person, assignmentId: number, state: 'applied' | 'undone') {
  await expect.poll(async () => (await approvalsOf(teacher, assignmentId)).latest?.state).toBe(state)
  return (await approvalsOf(teacher, assignmentId)).latest
}

/** As a list shows them now. */
async function gradesOf(teacher: Person, assignmentId: number, ids: number[]) {
  const { body } = await api.as(teacher).send(listSubmissionIds, { params: { assignmentId } })
  return body.flatMap(({ id, grade }) =>
    grade && ids.includes(id) ? [{ submission_id: id, grade_id: grade.id, revision: grade.revision }] : [],
  )
}

const post = (teacher: Person, assignmentId: number, body: BodyOf<typeof approveGrades>) =>
  api.as(teacher).send(approveGrades, { params: { assignmentId }, body })

async function approve(teacher: Person, assignmentId: number, which: number | number[]) {
  const body =
    typeof which === 'number' ? { expected: which } : { grades: await gradesOf(teacher, assignmentId, which) }
  const reply = await post(teacher, assignmentId, body)
  expect(reply.status, reply.text).toBe(202)
  return settled(teacher, assignmentId, 'applied')
}

const undo = (teacher: Person, assignmentId: number, approvalId = 0) =>
  api.as(teacher).send(undoGradeApproval, { params: { assignmentId, approvalId } })

async function reviewed(assignment_id: number) {
  const found = SubmissionModel.find({ assignment_id, 'grade.reviewed_at': { $ne: null } })
  return (await found.sort({ _id: 1 }).lean()).map(({ _id }) => _id)
}

async function overrideOne(teacher: Person, assignmentId: number, submissionId: number) {
  const gradeId = (await SubmissionModel.findById(submissionId).lean())?.grade?.id ?? 0
  const reply = await api
    .as(teacher)
    .send(overrideGrade, {
      params: { assignmentId, submissionId, gradeId },
      body: { overall_score: 12, human_review_notes: null },
    })
  expect(reply.status, reply.text).toBe(200)
}

describe('approving all grades that are sure', () => {
  it('says how many first, approves these alone, audits each once, and takes them back', async () => {
    const { teacher, assignmentId, ids, sure } = await build(40)
    expect(sure.length).toBeGreaterThan(20)
    expect(await approvalsOf(teacher, assignmentId)).toEqual({ sure: sure.length, latest: null })
    const done = await approve(teacher, assignmentId, sure.length)
    expect(done).toMatchObject({ total: sure.length, done: sure.length, approved: sure.length, skipped: 0 })
    expect(await reviewed(assignmentId)).toEqual(sure)
    expect((await approvalsOf(teacher, assignmentId)).sure).toBe(0)
    const counts = await api.as(teacher).send(countSubmissions, { params: { assignmentId } })
    expect(counts.body.reviewed).toBe(sure.length)
    const entries = () => AuditModel.find({ 'subject.submission_id': { $in: ids } }).lean()
    expect((await entries()).map(({ action, actor_id }) => [action, actor_id])).toEqual(
      sure.map(() => ['grade.approved', teacher.id]),
    )

    await undo(teacher, assignmentId, done?.id)
    expect(await settled(teacher, assignmentId, 'undone')).toMatchObject({ approved: sure.length, undone: sure.length })
    expect(await reviewed(assignmentId)).toEqual([])
    expect((await approvalsOf(teacher, assignmentId)).sure).toBe(sure.length)
    expect((await entries()).filter(({ action }) => action === 'grade.approval_undone')).toHaveLength(sure.length)
  })

  it('approves chosen papers, flagged too, without those reviewed or incomplete, and flags them again', async () => {
    const { teacher, assignmentId, ids, sure } = await build(20)
    const [reviewedBefore = 0, partly = 0, suggested = 0] = sure
    await overrideOne(teacher, assignmentId, reviewedBefore)
    await SubmissionModel.updateOne({ _id: partly }, { $set: { 'grade.unscored_points': 2 } })
    const flagged = async () => (await SubmissionModel.find({ _id: { $in: ids }, 'grade.needs_review': true })).length
    const chosen = [...sure.slice(0, 3), ...ids.filter((_, i) => i % 10 === 9)]
    const done = await approve(teacher, assignmentId, chosen)
    expect(done).toMatchObject({ total: 3, approved: 3, skipped: 0, unfit: 2 })
    expect(await reviewed(assignmentId)).toEqual(chosen.filter((id) => id !== partly))
    expect(await flagged()).toBe(0)
    const told = await AuditModel.find({ action: 'grade.approved', 'subject.submission_id': { $in: ids } }).lean()
    expect(told.map(({ before }) => before)).toEqual([false, true, true].map((needs_review) => ({ needs_review })))

    await undo(teacher, assignmentId, done?.id)
    expect(await settled(teacher, assignmentId, 'undone')).toMatchObject({ undone: 3 })
    expect([await reviewed(assignmentId), await flagged()]).toEqual([[reviewedBefore], 2])
    await approve(teacher, assignmentId, [suggested])
    const body = { grades: await gradesOf(teacher, assignmentId, [reviewedBefore, partly, suggested]) }
    expect((await post(teacher, assignmentId, body)).status).toBe(409)
  })

  it('leaves out chosen papers graded again or changed since they were seen, and says how many', async () => {
    const { instructor, assignmentId, submissionIds } = await buildGraded(api, Array(3).fill(correctAnswers))
    const [again = 0, changed = 0, same = 0] = submissionIds
    const grades = await gradesOf(instructor, assignmentId, submissionIds)
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [again], force: true })
    await overrideOne(instructor, assignmentId, changed)
    const none = await post(instructor, assignmentId, {
      grades: grades.filter(({ submission_id }) => submission_id !== same),
    })
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('graded again or changed')])
    expect((await post(instructor, assignmentId, { grades })).body).toMatchObject({ total: 1, skipped: 2 })
    expect(await settled(instructor, assignmentId, 'applied')).toMatchObject({ approved: 1, skipped: 2 })
    expect(await reviewed(assignmentId)).toEqual([changed, same])
    expect((await SubmissionModel.findById(changed).lean())?.grade?.manual_score_override).toBe(12)
  })

  it('approves nothing where more are sure than were named, and tells of those that are sure no longer', async () => {
    const { teacher, assignmentId, sure } = await build(20)
    const few = await post(teacher, assignmentId, { expected: 1 })
    expect([few.status, few.text]).toEqual([409, expect.stringContaining(`${sure.length} grades are clear now, not 1`)])
    expect(await reviewed(assignmentId)).toEqual([])
    await overrideOne(teacher, assignmentId, sure[0] ?? 0)
    expect(await approve(teacher, assignmentId, sure.length)).toMatchObject({ approved: sure.length - 1, skipped: 1 })
    expect((await post(teacher, assignmentId, { expected: 3 })).status).toBe(409)
  })

  it('leaves alone what somebody changed after it was found sure, and what was changed before it is undone', async () => {
    const { teacher, assignmentId, sure } = await build(30)
    const [first = 0, second = 0] = sure
    // As another person's decision between the finding and its turn: the journal names a revision that is gone.
    await approve(teacher, assignmentId, sure.length)
    const [latest] = await GradeApprovalModel.find({ assignment_id: assignmentId }).lean()
    await SubmissionModel.updateMany(
      { _id: { $in: [first] } },
      { $set: { 'grade.reviewed_at': null, 'grade.written_by': 'other' }, $inc: { 'grade.revision': 1 } },
    )
    await GradeApprovalModel.updateOne({ _id: latest?._id }, { $set: { state: 'applying', under_way: true } })
    if (latest) await queueApprovals([{ ...latest, state: 'applying' }], server.running.services)
    expect(await settled(teacher, assignmentId, 'applied')).toMatchObject({ approved: sure.length - 1, skipped: 1 })
    expect(await reviewed(assignmentId)).toEqual(sure.slice(1))

    await overrideOne(teacher, assignmentId, second)
    await undo(teacher, assignmentId, latest?._id)
    expect(await settled(teacher, assignmentId, 'undone')).toMatchObject({ undone: sure.length - 2 })
    expect(await reviewed(assignmentId)).toEqual([second])
    expect((await SubmissionModel.findById(second).lean())?.grade?.manual_score_override).toBe(12)
  })

  it('finishes in the next process what one left half done, and says nothing twice', async () => {
    const { teacher, assignmentId, sure } = await build(600)
    await approve(teacher, assignmentId, sure.length)
    const [latest] = await GradeApprovalModel.find({ assignment_id: assignmentId }).lean()
    // As a process leaves it that died after the second batch of grades, before it told the audit log of them.
    const undone = sure.slice(300)
    await SubmissionModel.updateMany(
      { _id: { $in: undone } },
      { $set: { 'grade.reviewed_at': null, 'grade.revision': 1 }, $unset: { 'grade.written_by': 1 } },
    )
    await AuditModel.deleteMany({ 'subject.submission_id': { $in: sure.slice(250) } })
    await GradeApprovalModel.updateOne(
      { _id: latest?._id },
      { $set: { state: 'applying', under_way: true, done: 250, approved: 250 } },
    )
    const waiting = await post(teacher, assignmentId, { expected: 600 })
    expect([waiting.status, waiting.text]).toEqual([409, expect.stringContaining('are being approved')])
    if (latest) await queueApprovals([{ ...latest, state: 'applying' }], server.running.services)
    expect(await settled(teacher, assignmentId, 'applied')).toMatchObject({ approved: sure.length, skipped: 0 })
    expect(await reviewed(assignmentId)).toEqual(sure)
    const told = await AuditModel.find({ 'subject.submission_id': { $in: sure } }).lean()
    expect(told.map(({ subject }) => subject.submission_id).sort()).toEqual([...sure].sort())
  })

  it('releases where the assignment is published, and takes back from students only what the approval had shown', async () => {
    const { teacher, assignmentId, sure } = await build(20)
    await api.as(teacher).send(publishAssignment, { params: { assignmentId } })
    const [late = 0] = sure
    // Graded after publishing: not shown yet.
    await ReleaseModel.deleteOne({ _id: late })
    await SubmissionModel.updateOne({ _id: late }, { $set: { 'grade.released': false } })
    const releases = () => ReleaseModel.find({ _id: { $in: sure } }).sort({ _id: 1 })
    const shownTo = async () => (await releases()).map((one) => [one._id, one.reviewed_by_teacher])
    const done = await approve(teacher, assignmentId, sure.length)
    expect(await shownTo()).toEqual(sure.map((id) => [id, true]))
    await undo(teacher, assignmentId, done?.id)
    await settled(teacher, assignmentId, 'undone')
    expect(await shownTo()).toEqual(sure.slice(1).map((id) => [id, false]))
    expect((await SubmissionModel.findById(late).lean())?.grade?.released).toBe(false)
  })

  it('lets nobody else undo it, and finds nothing sure in a grade without criteria', async () => {
    const { teacher, assignmentId, sure } = await build(20)
    await GradeDetailsModel.updateMany({ submission_id: sure[0] }, { $set: { criteria: [] } })
    expect((await approvalsOf(teacher, assignmentId)).sure).toBe(sure.length - 1)
    const done = await approve(teacher, assignmentId, sure.length)
    const admin = await buildPerson('admin')
    expect((await undo(admin, assignmentId, done?.id)).status).toBe(409)
    expect((await approvalsOf(admin, assignmentId)).latest).toBeNull()
  })
})
