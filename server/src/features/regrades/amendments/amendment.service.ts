import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { PointsAmended, previewAmendment } from '@assay/shared/rubric-amendments.ts'
import type { Criterion, Question, Rubric } from '@assay/shared/rubrics.ts'
import { EditedQuestion } from '@assay/shared/rules/edited-rubric.ts'
import { AppError, invalidInput, orNotFound } from '../../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'
import type { RegradeDoc } from '../../../records/grading/regrade.model.ts'
import { type RubricAmendmentDoc, RubricAmendmentModel } from '../../../records/grading/rubric-amendment.model.ts'
import { openStoredRubric } from '../../rubrics/rubric.service.ts'
import { requireRegrade } from '../regrade.service.ts'

const GRANT_FIRST = 'Grant the regrade request first: this makes what was granted to one student everyone’s.'
const NO_CRITERION =
  'The rubric no longer has what this request is about, or the request is about the whole paper. Change the rubric on its own page.'

export type AmendmentDraft = Pick<
  RubricAmendmentDoc,
  'regrade_id' | 'submission_id' | 'question_id' | 'criterion_id' | 'kind' | 'text' | 'granted'
>

export async function requireDraft(
  assignment: AssignmentDoc,
  { regrade_id, kind, text }: BodyOf<typeof previewAmendment>,
): Promise<AmendmentDraft> {
  const request = await requireRegrade(assignment._id, regrade_id)
  const { question, criterion } = criterionOf(assignment.rubric, request.criterion?.criterion_id)
  const { points, submission_id } = request
  if (request.state !== 'answered' || points?.when_answered == null || points.when_answered <= (points.when_asked ?? 0))
    throw new AppError('conflict', GRANT_FIRST)
  const granted = points.when_answered
  if (kind === 'alternative' && granted < criterion.points) {
    const full = `An accepted answer earns all ${criterion.points} points, and you gave ${granted}.`
    throw invalid('kind', `${full} Clarify the rubric instead.`)
  }
  const ids = { regrade_id, submission_id, question_id: question.id, criterion_id: criterion.id }
  const draft = { ...ids, kind, text, granted }
  const amended = amendedRubric(currentRubric(assignment), draft).questions.find(({ id }) => id === question.id)
  const noRoom = EditedQuestion.safeParse(amended).error?.issues[0]?.message
  if (noRoom) throw invalid('text', noRoom)
  return draft
}

export const invalid = (field: string, msg: string) => invalidInput([field], msg, 'amendment')

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

/** @throws {AppError} `conflict` without one */
export function currentRubric({ rubric }: Pick<AssignmentDoc, 'rubric'>): Rubric {
  if (!rubric) throw new AppError('conflict', NO_CRITERION)
  return openStoredRubric(rubric)
}

export function amendedRubric(rubric: Rubric, { question_id, criterion_id, kind, text }: AmendmentDraft): Rubric {
  const amend = (question: Question): Question => {
    if (question.id !== question_id) return question
    if (kind === 'clarification') return { ...question, notes: [question.notes ?? '', text].filter(Boolean).join('\n') }
    const accept = (criterion: Criterion): Criterion =>
      criterion.id === criterion_id
        ? { ...criterion, alternatives: [...new Set([...criterion.alternatives, text])] }
        : criterion
    return { ...question, criteria: question.criteria.map(accept) }
  }
  return { ...rubric, questions: rubric.questions.map(amend) }
}

export const requireAmendment = (assignmentId: number, amendmentId: number): Promise<RubricAmendmentDoc> =>
  orNotFound(
    RubricAmendmentModel.findOne({ _id: amendmentId, assignment_id: assignmentId }).lean(),
    'This change to the rubric does not exist.',
  )

export type AmendmentHead = Omit<RubricAmendmentDoc, 'answers' | 'unchanged'>

export function findAmendmentsOf(regrade: Pick<RegradeDoc, '_id' | 'assignment_id'>): Promise<AmendmentHead[]> {
  return RubricAmendmentModel.find(
    { assignment_id: regrade.assignment_id, regrade_id: regrade._id },
    { answers: 0, unchanged: 0 },
  )
    .sort({ _id: -1 })
    .lean()
}

/** Changes by others' requests that still count, the latest first. */
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
