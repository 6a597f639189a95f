import { approveSureGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import { beforeAll, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { useKilledProcess } from '../../testing/killed-process.ts'

// Three batches.
const PAPERS = 510
const killed = useKilledProcess(PAPERS, { answerOf: () => '144' })
const teacher = () => killed.api.as(killed.teacher)
const paramsOf = () => ({ assignmentId: killed.assignmentId })

beforeAll(() =>
  killed.inDatabase(async () => {
    const sure = { 'grade.needs_review': false, 'grade.unscored_points': 0, 'grade.final_score': 90 }
    await SubmissionModel.updateMany({ assignment_id: killed.assignmentId }, { $set: sure })
    await GradeDetailsModel.updateMany({}, { $set: { 'criteria.$[].score': 1, 'criteria.$[].confidence': 0.9 } })
  }),
)

const approvals = async () => (await teacher().send(getGradeApprovals, { params: paramsOf() })).body
const state = async () => (await approvals()).latest?.state

it.each([
  ['as soon as it is stored', 'after insertOne grade_approvals 1'],
  ['with some grades approved, and nobody told', 'after bulkWrite submissions 1'],
  ['with some grades approved and audited', 'before bulkWrite submissions 3'],
])('is made once and in whole by the next process when one is killed %s, and can be undone', async (_, at) => {
  await killed.start()
  const { died } = await killed.dieAt(at, 'grade_approvals')
  expect((await approvals()).sure).toBe(PAPERS)
  // The process may die before or after it replies.
  const call = { params: paramsOf(), body: { expected: PAPERS } }
  await teacher()
    .send(approveSureGrades, call)
    .catch(() => null)
  expect(await died).toBe('SIGKILL')

  await killed.start()
  await expect.poll(state).toBe('applied')
  const { latest } = await approvals()
  expect(latest).toMatchObject({ approved: PAPERS, skipped: 0 })
  await teacher().send(undoGradeApproval, { params: { ...paramsOf(), approvalId: latest?.id ?? 0 } })
  await expect.poll(state).toBe('undone')
  expect(await approvals()).toMatchObject({ sure: PAPERS, latest: { undone: PAPERS } })
  await killed.stop()
  await killed.inDatabase(async () => {
    const told = await AuditModel.find({ action: /^grade\.approv/ }).lean()
    expect(told.filter(({ action }) => action === 'grade.approved')).toHaveLength(PAPERS)
    expect(new Set(told.map(({ subject }) => subject.submission_id)).size).toBe(PAPERS)
    expect(await SubmissionModel.countDocuments({ 'grade.reviewed_at': { $gt: new Date(0) } })).toBe(0)
    await AuditModel.deleteMany({ action: /^grade\.approv/ })
  })
})
