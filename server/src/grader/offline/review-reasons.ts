import type { Rubric } from '@assay/shared/rubrics.ts'
import type { LaidSubmission, ReviewReason, SuggestedCriterion } from '../grader.ts'
import { SMALL_CLASS } from './judge-question.ts'
import type { Judgement } from './judgement.ts'

/** An answer less sure than this is named: between right and wrong the grader errs by two fifths of the points. */
export const LOW_CONFIDENCE = 0.62
/**
 * A paper whose total is expected to be off by more than this goes to a person. Errors of single answers partly cancel
 * out, so they are added as independent ones: the root of the sum of their squares.
 */
const TOTAL_ERROR = 0.12
/** Under this the reading is only a hint (`docs/grading.md`). */
export const POOR_READING = 0.75

export interface Judged {
  suggestion: SuggestedCriterion
  judgement: Judgement
}

/** Why a person should look at a grade, in the order a teacher would want to hear it. */
export function reviewReasons(
  rubric: Rubric,
  laid: LaidSubmission,
  judged: Judged[],
  others: number,
): ReviewReason[] {
  const reasons: ReviewReason[] = [...laid.warnings]
  const unsure: string[] = []
  const empty = laid.warnings.some((warning) => warning.code === 'nothing_written')
  const scanned = laid.answers.some((answer) => answer.reading < 1)
  for (const question of rubric.questions) {
    const answer = laid.answers.find((one) => one.question_id === question.id)
    const own = judged.filter(({ suggestion }) => suggestion.question_id === question.id)
    const remarked = (remark: Judgement['remarks'][number]) =>
      own.some(({ judgement }) => judgement.remarks.includes(remark))
    const place = { question_id: question.id, evidence: answer?.evidence.slice(0, 4) ?? [] }
    const say = (code: ReviewReason['code'], message: string) => reasons.push({ code, message, ...place })
    const name = `question ${question.number}`
    if (!answer?.found) {
      say('answer_not_found', `The place of ${name} was not found in this paper.`)
      continue
    }
    if (remarked('no_key'))
      say('no_expected_answer', `The key gives no answer to ${name}, so it was not graded.`)
    if (answer.text.trim() === '') {
      // In a typed paper an empty space is empty; in a scanned one, faint writing may have been missed.
      if (!empty && scanned) say('nothing_written', `Nothing is written for ${name}.`)
      continue
    }
    if (answer.reading < POOR_READING)
      say('poor_reading', `The answer to ${name} was hard to read (${Math.round(answer.reading * 100)} %).`)
    if (answer.evidence.length === 0)
      say('evidence_missing', `The answer to ${name} could not be tied to a place on the page.`)
    if (remarked('keyword_list'))
      say('keyword_list', `The answer to ${name} lists words of the key without saying anything with them.`)
    if (remarked('copied_key')) say('copied_key', `The answer to ${name} repeats the key word for word.`)
    if (remarked('unclear')) say('low_confidence', `It is not clear what the answer to ${name} is.`)
    else if (own.some(({ suggestion }) => suggestion.confidence < LOW_CONFIDENCE) && !remarked('no_key'))
      unsure.push(question.number)
  }
  if (totalError(judged) > TOTAL_ERROR && !empty) {
    const which = unsure.length === 1 ? `question ${unsure[0]}` : `questions ${unsure.join(', ')}`
    const only =
      unsure.length === 1 ? rubric.questions.find((question) => question.number === unsure[0]) : undefined
    reasons.push({
      code: 'low_confidence',
      message:
        unsure.length > 0
          ? `The grader is unsure about ${which}.`
          : 'The grader is unsure about this paper as a whole.',
      ...(only ? { question_id: only.id } : {}),
    })
  }
  if (others < SMALL_CLASS && rubric.questions.some((question) => question.kind === 'text')) {
    reasons.push({
      code: 'small_class',
      message:
        others === 0
          ? 'There are no other papers to compare with yet.'
          : 'There are few other papers to compare with.',
    })
  }
  return reasons
}

/** Expected error of the total, as a share of all points. */
function totalError(judged: Judged[]): number {
  const most = judged.reduce((sum, { suggestion }) => sum + suggestion.max_score, 0)
  const squares = judged.reduce(
    (sum, { suggestion: { confidence, max_score } }) => sum + ((1 - confidence) * max_score) ** 2,
    0,
  )
  return most > 0 ? Math.sqrt(squares) / most : 0
}
