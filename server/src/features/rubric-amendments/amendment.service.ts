import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { createAmendment, PointsAmended } from '@assay/shared/rubric-amendments.ts'
import type { Criterion, Question, Rubric } from '@assay/shared/rubrics.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import type { RegradeDoc } from '../../records/grading/regrade.model.ts'
import { type RubricAmendmentDoc, RubricAmendmentModel } from '../../records/grading/rubric-amendment.model.ts'
import { requireRegrade } from '../regrades/regrade.service.ts'
import { openStoredRubric } from '../rubrics/open-stored-rubric.ts'
import { amendedRubric, requireValidAmendment } from './amended-rubric.ts'

const GRANT_FIRST = 'Grant the regrade request first: this makes what was granted to one student everyone’s.'
const NO_CRITERION =
  'The rubric no longer has what this request is about, or the request is about the whole paper. Change the rubric on its own page.'

/** @throws {AppError} `resource_not_found` for another assignment's */
export async function requireAmendment(assignmentId: number, amendmentId: number): Promise<RubricAmendmentDoc> {
  const found = await RubricAmendmentModel.findOne({ _id: amendmentId, assignment_id: assignmentId }).lean()
  if (!found) throw notFound('This change to the rubric does not exist.')
  return found
}

/**
 * Stores what is to be computed.
 * @throws {AppError} `conflict` for a request that was not granted, `validation_failed` for an accepted answer that was not granted the full
 * points, or one the rubric has no room for
 */
export async function startAmendment(
  assignment: AssignmentDoc,
  { regrade_id, kind, text }: BodyOf<typeof createAmendment>,
  actor: Actor,
  now: Date,
): Promise<RubricAmendmentDoc> {
  const request = await requireRegrade(assignment._id, regrade_id)
  const { question, criterion } = criterionOf(assignment.rubric, request.criterion?.criterion_id)
  const { points } = request
  if (request.state !== 'answered' || points?.when_answered == null || points.when_answered <= (points.when_asked ?? 0))
    throw new AppError('conflict', GRANT_FIRST)
  const granted = points.when_answered
  if (kind === 'alternative' && granted < criterion.points) throw notFullPoints(criterion.points, granted)
  const amendment: RubricAmendmentDoc = {
    _id: await nextId('rubric_amendments'),
    assignment_id: assignment._id,
    regrade_id,
    submission_id: request.submission_id,
    question_id: question.id,
    criterion_id: criterion.id,
    kind,
    text,
    granted,
    rubric_version: assignment.rubric_version,
    state: 'computing',
    failure: null,
    done: 0,
    total: 0,
    answers: [],
    unchanged: [],
    choice: null,
    amended_version: null,
    changed: [],
    skipped: 0,
    created_by: actor.id,
    created_at: now,
    applied_at: null,
  }
  requireValidAmendment(currentRubric(assignment), amendment)
  await RubricAmendmentModel.create(amendment)
  return amendment
}

function notFullPoints(most: number, granted: number): AppError {
  const msg = `An accepted answer earns all ${most} points, and you gave ${granted}. Clarify the rubric instead.`
  return new AppError('validation_failed', msg, { details: [{ loc: ['body', 'kind'], msg, type: 'amendment' }] })
}

export function criterionOf(
  rubric: Rubric | null,
  criterionId: string | undefined,
): { question: Question; criterion: Criterion } {
  for (const question of rubric?.questions ?? []) {
    const criterion = question.criteria.find(({ id }) => id === criterionId)
    if (criterion) return { question, criterion }
  }
  throw new AppError('conflict', NO_CRITERION)
}

/** @throws {AppError} `conflict` where there is none */
export function currentRubric({ rubric }: Pick<AssignmentDoc, 'rubric'>): Rubric {
  if (!rubric) throw new AppError('conflict', NO_CRITERION)
  return openStoredRubric(rubric)
}

export const rubricWith = (assignment: Pick<AssignmentDoc, 'rubric'>, amendment: RubricAmendmentDoc): Rubric =>
  amendedRubric(currentRubric(assignment), amendment)

/** Null where it is in another state by now. */
export function changeState(
  { _id }: Pick<RubricAmendmentDoc, '_id'>,
  from: RubricAmendmentDoc['state'][],
  change: Partial<RubricAmendmentDoc>,
): Promise<RubricAmendmentDoc | null> {
  return RubricAmendmentModel.findOneAndUpdate(
    { _id, state: { $in: from } },
    { $set: change },
    { returnDocument: 'after' },
  ).lean()
}

export type AmendmentHead = Omit<RubricAmendmentDoc, 'answers' | 'unchanged'>

/** Latest first, without those discarded. */
export function findAmendmentsOf(regrade: Pick<RegradeDoc, '_id' | 'assignment_id'>): Promise<AmendmentHead[]> {
  return RubricAmendmentModel.find(
    { assignment_id: regrade.assignment_id, regrade_id: regrade._id, state: { $ne: 'stopped' } },
    { answers: 0, unchanged: 0 },
  )
    .sort({ _id: -1 })
    .lean()
}

/** False once it is to stop. */
export async function reportProgress({ _id }: Pick<RubricAmendmentDoc, '_id'>, done: number, total: number) {
  const updated = await RubricAmendmentModel.updateOne(
    { _id, state: { $in: ['computing', 'applying'] } },
    { $set: { done, total } },
  )
  return updated.matchedCount > 0
}

export function findUnfinishedAmendments(): Promise<RubricAmendmentDoc[]> {
  return RubricAmendmentModel.find({ state: { $in: ['computing', 'applying', 'undoing'] } })
    .sort({ _id: 1 })
    .lean()
}

/** What changed on a paper because of others' requests and still counts, the latest first. */
export async function findPointsAmended(
  { _id, rubric }: Pick<AssignmentDoc, '_id' | 'rubric'>,
  { _id: submissionId, criteria }: Pick<ReleaseDoc, '_id' | 'criteria'>,
): Promise<PointsAmended[]> {
  const applied = await RubricAmendmentModel.find(
    { assignment_id: _id, 'changed.submission_id': submissionId, state: { $ne: 'undone' } },
    { kind: 1, question_id: 1, changed: { $elemMatch: { submission_id: submissionId } }, applied_at: 1 },
  )
    .sort({ _id: -1 })
    .lean()
  const numbers = new Map(rubric?.questions.map(({ id, number }) => [id, number]))
  return applied.flatMap(({ kind, question_id, changed, applied_at }) => {
    const number = numbers.get(question_id)
    const own = changed.find(({ submission_id }) => submission_id === submissionId)
    const now = criteria.reduce((sum, one) => sum + (one.question_id === question_id ? (one.score ?? 0) : 0), 0)
    // Undone or decided otherwise since.
    if (number === undefined || !own || !applied_at || Math.abs(now - own.after) > 0.005) return []
    return [
      {
        kind,
        question_number: number,
        points_before: own.before,
        points_after: own.after,
        at: applied_at.toISOString(),
      },
    ]
  })
}
