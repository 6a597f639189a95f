import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { EditedQuestion } from '@assay/shared/rules/edited-rubric.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'

type Amendment = Pick<RubricAmendmentDoc, 'question_id' | 'criterion_id' | 'kind' | 'text'>

/** The rubric with the accepted answer or the words in it; an answer that is accepted already stays once. */
export function amendedRubric(rubric: Rubric, amendment: Amendment): Rubric {
  return {
    ...rubric,
    questions: rubric.questions.map((question) =>
      question.id === amendment.question_id ? amendedQuestion(question, amendment) : question,
    ),
  }
}

function amendedQuestion(question: Question, { criterion_id, kind, text }: Amendment): Question {
  if (kind === 'clarification') return { ...question, notes: [question.notes ?? '', text].filter(Boolean).join('\n') }
  return {
    ...question,
    criteria: question.criteria.map((criterion) =>
      criterion.id === criterion_id
        ? { ...criterion, alternatives: [...new Set([...criterion.alternatives, text])] }
        : criterion,
    ),
  }
}

/** @throws {AppError} `validation_failed` where the rubric has no room for it */
export function requireValidAmendment(rubric: Rubric, amendment: Amendment): void {
  const question = amendedRubric(rubric, amendment).questions.find(({ id }) => id === amendment.question_id)
  const msg = EditedQuestion.safeParse(question).error?.issues[0]?.message
  if (msg)
    throw new AppError('validation_failed', msg, { details: [{ loc: ['body', 'text'], msg, type: 'amendment' }] })
}
