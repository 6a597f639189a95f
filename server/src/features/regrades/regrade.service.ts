import type { RegradeRequest } from '@assay/shared/regrades.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { percentOf } from '@assay/shared/rules/points.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { isDuplicateKeyError, nextId } from '../../lib/database/database.ts'
import { AppError, notFound, orNotFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { ReleaseDoc, ReleasedCriterion } from '../../records/grading/grade.model.ts'
import { type RegradeDoc, RegradeModel } from '../../records/grading/regrade.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { setRegradeState } from '../submissions/submission-grades.ts'

/** A new grade or a new decision gets another key. */
const releaseKey = (release: ReleaseDoc) => `${release.criteria[0]?.id ?? 0}/${release.revision}`

export const findRegrades = (submissionId: number): Promise<RegradeDoc[]> =>
  RegradeModel.find({ submission_id: submissionId }).sort({ _id: -1 }).lean()

export const findOpenRegrades = (assignmentId: number): Promise<RegradeDoc[]> =>
  RegradeModel.find({ assignment_id: assignmentId, state: 'open' }).sort({ asked_at: 1, _id: 1 }).lean()

export const requireRegrade = (assignmentId: number, regradeId: number): Promise<RegradeDoc> =>
  orNotFound(
    RegradeModel.findOne({ _id: regradeId, assignment_id: assignmentId }).lean(),
    'This request does not exist.',
  )

export function canRequestRegrade(release: ReleaseDoc | null, asked: RegradeDoc[]): boolean {
  // A regrade makes no sense while answers are still being graded.
  if (!release || release.points === null) return false
  return !asked.some((one) => one.state === 'open' || one.about === releaseKey(release))
}

/** @throws {AppError} `conflict` */
export async function createRegradeRequest(
  student: Actor,
  submission: SubmissionDoc,
  release: ReleaseDoc,
  rubric: Rubric | null,
  what: { reason: string; criterion_id?: number | null | undefined },
  now: Date,
): Promise<{ request: RegradeDoc; submission: SubmissionDoc }> {
  const { points } = release
  if (points === null)
    throw new AppError('conflict', 'Your instructor is still grading this paper. You can request a regrade afterwards.')
  if (!canRequestRegrade(release, await findRegrades(submission._id))) throw alreadyRequested()
  const criterion = release.criteria.find(({ id }) => id === what.criterion_id)
  if (what.criterion_id != null && !criterion)
    throw notFound('Your grade no longer has this criterion. Reload the page.')
  const request: RegradeDoc = {
    _id: await nextId('regrades'),
    assignment_id: submission.assignment_id,
    submission_id: submission._id,
    student_id: student.id,
    state: 'open',
    reason: what.reason,
    ...criterionOf(criterion, rubric),
    about: releaseKey(release),
    asked_at: now,
    score_when_asked: percentOf(points),
    answer: null,
    answered_by: null,
    answered_at: null,
    score_when_answered: null,
  }
  await RegradeModel.create(request).catch((error: unknown) => {
    throw isDuplicateKeyError(error) ? alreadyRequested() : error
  })
  const marked = await setRegradeState(submission, 'open')
  await recordAudit(student, 'regrade.asked', auditSubjectOf(request), now, { after: { reason: request.reason } })
  return { request, submission: marked }
}

function criterionOf(criterion: ReleasedCriterion | undefined, rubric: Rubric | null) {
  if (!criterion) return { criterion: null, question: null, points: null }
  const { id, criterion_text: text, criterion_id, question_id, score, max_score } = criterion
  const question = rubric?.questions.find((one) => one.id === question_id)
  return {
    criterion: { id, text, ...(criterion_id === undefined ? {} : { criterion_id }) },
    question: question ? { id: question.id, number: question.number } : null,
    points: { when_asked: score, when_answered: null, of: max_score },
  }
}

const alreadyRequested = () =>
  new AppError(
    'conflict',
    'You have already requested a regrade of this grade. Your instructor’s answer will appear here.',
  )

export const auditSubjectOf = ({ _id, assignment_id, submission_id }: RegradeDoc) => ({
  assignment_id,
  submission_id,
  regrade_id: _id,
})

export function presentRegrade(request: RegradeDoc): RegradeRequest {
  return {
    id: request._id,
    submission_id: request.submission_id,
    state: request.state,
    reason: request.reason,
    criterion: request.criterion,
    asked_at: request.asked_at.toISOString(),
    score_when_asked: request.score_when_asked,
    answer: request.answer,
    answered_at: request.answered_at?.toISOString() ?? null,
    score_when_answered: request.score_when_answered,
    question: request.question ?? null,
    points: request.points ?? null,
    outcome: outcomeOf(request),
  }
}

/** By the criterion's own points. */
function outcomeOf({ state, points, ...scores }: RegradeDoc): RegradeRequest['outcome'] {
  if (state === 'open') return null
  const [before, after] = points
    ? [points.when_asked ?? 0, points.when_answered]
    : [scores.score_when_asked, scores.score_when_answered]
  if (after === null) return null
  if (after < before) return 'lowered'
  return after > before ? 'granted' : 'declined'
}

export async function reassignRegrades(from: number, to: number): Promise<void> {
  await RegradeModel.updateMany({ student_id: from }, { $set: { student_id: to } })
}
