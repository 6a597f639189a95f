import type { approveGrades, GradeApproval, SeenGrade } from '@assay/shared/grade-approvals.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import { isDuplicateKeyError, nextId } from '../../../lib/database/database.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type GradeApprovalDoc, GradeApprovalModel } from '../../../records/grading/grade-approval.model.ts'
import { findRubricHead } from '../../assignments/assignment.service.ts'
import { outdatedVersions } from '../../rubrics/outdated-grades.ts'
import {
  findGradedSubmissions,
  findSuggestedGrades,
  type SuggestedGradeRow,
} from '../../submissions/submission-grades.ts'
import { findCriterionConfidences } from '../grade.service.ts'

const UNDER_WAY =
  'Grades of this assignment are being approved, or an approval is being undone. Wait until that is done, then try again.'
const NONE_LEFT = 'No suggested grade is clear any more: they were reviewed or changed meanwhile. Reload the page.'
const NONE_OPEN = 'None of these papers has a complete grade that waits for approval. Reload the page.'
const ALL_CHANGED =
  'These papers were graded again or changed since this list was loaded. Nothing was approved. Look at them again.'
const MORE_NOW = (now: number, expected: number) =>
  `${now} grades are clear now, not ${expected}. Nothing was approved. Check the new number, then approve again.`
const NOT_YOURS = 'Only the person who approved these grades can undo it.'

const OFFERED_MS = 24 * 60 * 60 * 1000

/** Changes no grade yet. @throws {AppError} `conflict` for none, more than expected, or another one under way */
export async function startApproval(
  assignment: AssignmentDoc,
  which: BodyOf<typeof approveGrades>,
  actor: Actor,
  now: Date,
): Promise<GradeApprovalDoc> {
  const { found, gone, unfit } = await ('grades' in which
    ? findChosenGrades(assignment._id, which.grades)
    : findExpectedGrades(assignment._id, which.expected))
  const approval: GradeApprovalDoc = {
    _id: await nextId('grade_approvals'),
    assignment_id: assignment._id,
    actor_id: actor.id,
    actor_role: actor.role,
    session_id: actor.sessionId,
    state: 'applying',
    under_way: true,
    at: now,
    ...('grades' in which && { chosen: true as const }),
    grades: found.map(({ _id, grade }) => ({
      submission_id: _id,
      grade_id: grade.id,
      revision: grade.revision,
      reviewed_by: grade.reviewed_by,
      withheld: assignment.status === 'published' && !grade.released,
      ...(grade.needs_review && { flagged: { reviewed_at: grade.reviewed_at } }),
    })),
    gone,
    ...(unfit > 0 && { unfit }),
    done: 0,
    approved: 0,
    undone: 0,
  }
  await onlyOneUnderWay(() => GradeApprovalModel.create(approval))
  return approval
}

async function onlyOneUnderWay<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    throw isDuplicateKeyError(error) ? new AppError('conflict', UNDER_WAY) : error
  }
}

/** Changes no grade yet; idempotent. @throws {AppError} `resource_not_found`; `conflict` if another's or under way */
export async function startUndo(
  ids: { assignmentId: number; approvalId: number },
  actor: Actor,
  now: Date,
): Promise<GradeApprovalDoc> {
  const found = await GradeApprovalModel.findOne({ _id: ids.approvalId, assignment_id: ids.assignmentId }).lean()
  if (!found) throw notFound('This approval does not exist.')
  if (found.actor_id !== actor.id) throw new AppError('conflict', NOT_YOURS)
  if (found.state === 'undoing' || found.state === 'undone') return found
  const undo = { at: now, session_id: actor.sessionId }
  const started = await onlyOneUnderWay(() =>
    GradeApprovalModel.findOneAndUpdate(
      { _id: found._id, state: 'applied' },
      { $set: { state: 'undoing', under_way: true, undo, done: 0 } },
    ).lean(),
  )
  if (!started) throw new AppError('conflict', UNDER_WAY)
  return started
}

export function findApproval(approvalId: number): Promise<GradeApprovalDoc | null> {
  return GradeApprovalModel.findById(approvalId).lean()
}

type Progress = Partial<Pick<GradeApprovalDoc, 'done' | 'approved' | 'undone'>>

export async function storeProgress({ _id, state }: GradeApprovalDoc, progress: Progress): Promise<void> {
  await GradeApprovalModel.updateOne({ _id, state }, { $set: progress })
}

export async function finish({ _id, state }: GradeApprovalDoc, next: 'applied' | 'undone'): Promise<void> {
  await GradeApprovalModel.updateOne({ _id, state }, { $set: { state: next }, $unset: { under_way: 1 } })
}

export function findUnfinishedApprovals(): Promise<Pick<GradeApprovalDoc, '_id' | 'assignment_id' | 'state'>[]> {
  return GradeApprovalModel.find({ under_way: true }, { assignment_id: 1, state: 1 }).lean()
}

export function findLatestApproval(assignmentId: number, actorId: number, now: Date): Promise<GradeApprovalDoc | null> {
  const since = new Date(now.getTime() - OFFERED_MS)
  return GradeApprovalModel.findOne({ assignment_id: assignmentId, actor_id: actorId, at: { $gte: since } })
    .sort({ _id: -1 })
    .lean()
}

export const presentApproval = (approval: GradeApprovalDoc): GradeApproval => {
  const { _id, state, at, chosen, grades, gone, unfit, done, approved, undone } = approval
  const gone_through = state === 'applying' ? done : grades.length
  return {
    id: _id,
    state,
    at: at.toISOString(),
    ...(chosen && { chosen }),
    total: grades.length,
    done,
    approved,
    skipped: gone + gone_through - approved,
    ...(unfit !== undefined && { unfit }),
    undone,
  }
}

interface GradesToApprove {
  found: SuggestedGradeRow[]
  /** Changed since the person saw them. */
  gone: number
  unfit: number
}

/** Of those still as they were seen, the ones that may be approved: complete, and flagged or not reviewed yet. */
async function findChosenGrades(assignmentId: number, grades: SeenGrade[]): Promise<GradesToApprove> {
  const seen = new Map(grades.map((one) => [one.submission_id, one]))
  const same = (await findGradedSubmissions(assignmentId, [...seen.keys()])).flatMap(({ _id, status, grade }) =>
    grade && grade.id === seen.get(_id)?.grade_id && grade.revision === seen.get(_id)?.revision
      ? [{ _id, status, grade }]
      : [],
  )
  const found = same.filter(
    ({ status, grade: { unscored_points, final_score, needs_review, reviewed_at } }) =>
      status === 'graded' &&
      !unscored_points &&
      typeof final_score === 'number' &&
      (needs_review || reviewed_at === null),
  )
  if (found.length === 0) throw new AppError('conflict', same.length === 0 ? ALL_CHANGED : NONE_OPEN)
  return { found, gone: seen.size - same.length, unfit: same.length - found.length }
}

async function findExpectedGrades(assignmentId: number, expected: number): Promise<GradesToApprove> {
  const found = await findSureGrades(assignmentId)
  if (found.length === 0) throw new AppError('conflict', NONE_LEFT)
  if (found.length > expected) throw new AppError('conflict', MORE_NOW(found.length, expected))
  return { found, gone: expected - found.length, unfit: 0 }
}

const BATCH = 500

/** Graded by the present rubric, nothing flagged or left to grade, and the grader sure of all undecided criteria. */
export async function findSureGrades(assignmentId: number): Promise<SuggestedGradeRow[]> {
  const head = await findRubricHead(assignmentId)
  const outdated = head ? await outdatedVersions(head) : null
  const suggested = (await findSuggestedGrades(assignmentId)).filter(
    ({ grade }) => !outdated?.has(grade.rubric_version),
  )
  const sure: SuggestedGradeRow[] = []
  for (let i = 0; i < suggested.length; i += BATCH) {
    const batch = suggested.slice(i, i + BATCH)
    const criteriaOf = await findCriterionConfidences(batch.map(({ grade }) => grade.id))
    for (const submission of batch) {
      const { decisions } = submission.grade
      const criteria = criteriaOf.get(submission.grade.id) ?? []
      const isSure = criteria.every(
        ({ criterion_id, score, confidence }) =>
          decisions?.[criterion_id] !== undefined || (score !== null && confidence >= SURE_CONFIDENCE),
      )
      if (criteria.length > 0 && isSure) sure.push(submission)
    }
  }
  return sure
}
