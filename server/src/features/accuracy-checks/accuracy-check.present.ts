import type { AccuracyCheck, AccuracyResult, Agreement, BlindAnswer } from '@assay/shared/accuracy-checks.ts'
import type { AnswerDetails } from '@assay/shared/questions.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { type AgreementEstimates, estimateAgreement } from '../../grader/agreement/estimate-agreement.ts'
import type { AccuracyCheckDoc, SampledAnswer } from '../../records/grading/accuracy-check.model.ts'
import { questionPoints } from '../questions/question.present.ts'
import { isOpen } from './accuracy-check.service.ts'
import { answerKey, type ClassAnswer } from './class-answers.ts'

export function presentCheck(check: AccuracyCheckDoc, startedBy: string, answers: ClassAnswer[] | null): AccuracyCheck {
  return {
    id: check._id,
    started_at: check.started_at.toISOString(),
    started_by: startedBy,
    answers: check.answers.map((answer, i) => ({
      position: i + 1,
      state: isOpen(answer) ? 'open' : answer.skipped ? 'skipped' : 'marked',
    })),
    finished_at: check.finished_at?.toISOString() ?? null,
    result: answers && presentResult(check, answers),
  }
}

/** Null where none of the marks has a suggestion beside it. */
function presentResult(check: AccuracyCheckDoc, known: ClassAnswer[]): AccuracyResult | null {
  // The sample was drawn of what nobody had decided, so it tells of that alone.
  const answers = known.filter(({ decided, person }) => !decided || person !== undefined)
  const marked = answers.filter(({ person }) => person !== undefined)
  if (marked.length === 0) return null
  const { all, questions } = estimateAgreement(answers)
  const byKey = new Map(marked.map((answer) => [answerKey(answer.submissionId, answer.questionId), answer]))
  const numbers = new Map(marked.map(({ question }) => [question.id, question.number]))
  const pairs = check.answers.flatMap(({ submission_id, question_id }, i) => {
    const answer = byKey.get(answerKey(submission_id, question_id))
    if (answer?.person === undefined) return []
    const { points, share, person, question } = answer
    return [
      { position: i + 1, number: question.number, of: points, marked: person * points, suggested: share * points },
    ]
  })
  return {
    answers: answers.length,
    marked: marked.length,
    left_out: check.answers.filter(({ points }) => points !== null).length - marked.length,
    all: presentAgreement(all),
    questions: [...questions].map(([id, one]) => ({
      question_id: id,
      number: numbers.get(id) ?? '',
      marked: one.marked,
      agreement: presentAgreement(one.estimates),
    })),
    earlier: earlierResult(check, pairs),
    decided: marked.filter(({ decided }) => decided).length,
    pairs,
  }
}

function earlierResult({ first_result }: AccuracyCheckDoc, pairs: AccuracyResult['pairs']): AccuracyResult['earlier'] {
  if (!first_result) return null
  const now = new Map(pairs.map(({ position, suggested }) => [String(position), suggested]))
  const isSame = (a: number, b: number | undefined) => b !== undefined && Math.abs(a - b) < 1e-9
  const changed = Object.entries(first_result.suggested).filter(([at, before]) => !isSame(before, now.get(at))).length
  return changed > 0 ? { all: first_result.all, changed } : null
}

const presentAgreement = ({ kappa, withinOneLevel, meanAbsoluteError, bias }: AgreementEstimates): Agreement => ({
  kappa,
  within_one_level: withinOneLevel,
  mean_error: meanAbsoluteError,
  bias,
})

/** Nothing of `details` that tells what anybody thinks of the answer. */
export function presentBlind(
  position: number,
  { points, skipped }: SampledAnswer,
  asked: Question,
  { submission_id, state, text, pictures }: AnswerDetails,
): BlindAnswer {
  const { id, number, prompt, kind, criteria, notes = null } = asked
  return {
    position,
    submission_id,
    question: { id, number, prompt, kind, points: questionPoints(asked), criteria, notes },
    state,
    text,
    pictures,
    points,
    skipped,
  }
}
