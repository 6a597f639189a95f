import type { Rubric } from '@assay/shared/rubrics.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import type { ReviewReason, ReviewReasonCode, SuggestedCriterion } from '../grader.ts'
import { lowConfidenceReasons } from '../scoring/low-confidence.ts'
import type { LlmJudgement } from './checks/cross-check.ts'
import { differsFromRules, differsFromSecondOpinion, findDistantTotal, mayBeManipulated } from './checks/cross-check.ts'
import { findQuote } from './checks/find-quote.ts'
import { ALL_OR_NOTHING } from './needs-llm.ts'
import { type GradingResponse, MAX_ANSWER_LENGTH } from './prompt/grading-prompt.ts'

/** About the paper, its reading and writing: valid for every grader. */
const PAPER_REASONS: ReadonlySet<ReviewReasonCode> = new Set([
  'poor_reading',
  'answer_not_found',
  'nothing_written',
  'hidden_text',
  'instructions_to_grader',
  'keyword_list',
  'copied_key',
  'text_differs_from_page',
  'page_order',
  'two_students',
  'other_assignment',
])

export function llmReviewReasons(
  rubric: Rubric,
  criteria: SuggestedCriterion[],
  judgements: LlmJudgement[],
  instructions: GradingResponse['instructions_found'],
  byRules: ReviewReason[],
): ReviewReason[] {
  const asked = new Set(judgements.map(({ question }) => question.id))
  // Unclear to anybody if unclear to the rules.
  const exact = new Set(rubric.questions.filter(({ kind }) => ALL_OR_NOTHING.has(kind)).map(({ id }) => id))
  const reasons = byRules.filter(
    ({ code, question_id }) =>
      PAPER_REASONS.has(code) ||
      // “A B C D” is unclear whatever the LLM decides.
      (question_id !== undefined && (!asked.has(question_id) || exact.has(question_id))),
  )
  for (const { question_id, words } of instructions) {
    const known = reasons.some((one) => one.code === 'instructions_to_grader' && one.question_id === question_id)
    const one = judgements.find(({ question }) => question.id === question_id)
    // An LLM may see instructions on the page that the text lacks; others must be in the text.
    if (known || !one || (!one.sawPage && !findQuote(words, one.answer))) continue
    reasons.push({
      code: 'instructions_to_grader',
      message: `The answer to question ${one.question.number} contains instructions to the grader: “${shorten(words)}”. The AI was told to ignore them.`,
      ...locationOf(one),
    })
  }
  for (const one of judgements) reasons.push(...reasonsOf(one))
  const total = findDistantTotal(judgements)
  if (total && !reasons.some(({ code }) => code === 'graders_differ')) {
    reasons.push({
      code: 'graders_differ',
      message: `The AI gives ${total.model} % of the points it was asked for, the comparison with the key ${total.rules} %.`,
    })
  }
  return judgements.length > 0 ? [...reasons, ...lowConfidenceReasons(rubric, criteria)] : reasons
}

function* reasonsOf(one: LlmJudgement): Generator<ReviewReason> {
  const { question, criterion, response, ruleScore, secondOpinion } = one
  const reason = (code: ReviewReasonCode, message: string): ReviewReason => ({ code, message, ...locationOf(one) })
  const what =
    question.criteria.length > 1
      ? `question ${question.number} (“${shorten(criterion.text, 50)}”)`
      : `question ${question.number}`
  const of = (points: number) => `${points} of ${criterion.points} ${criterion.points === 1 ? 'point' : 'points'}`
  if (response.cannot_judge) {
    yield reason('cannot_judge', `The AI could not grade ${what}: ${sentence(response.reasoning)}`)
    return
  }
  const hasKey = [criterion.expected, ...criterion.alternatives].some((text) => text.trim() !== '')
  const hasRules = hasKey || (criterion.levels?.length ?? 0) > 0 || (question.notes ?? '').trim() !== ''
  if (!hasRules)
    yield reason('no_expected_answer', `The key has no answer for ${what}: the AI graded it from general knowledge.`)
  if (one.strange.length > 0)
    yield reason(
      'evidence_missing',
      `The AI’s grade for ${what} quotes words that were not found in the answer: “${shorten(one.strange.join('” and “'))}”.`,
    )
  else if (response.points > 0 && one.evidence.length === 0)
    yield reason('evidence_missing', `The AI gives ${what} ${of(response.points)} without quoting the answer.`)
  if (mayBeManipulated(one))
    yield reason(
      'graders_differ',
      `The answer to ${what} contains text unrelated to it: “${shorten(one.outlierSentences.map(({ text }) => text).join(' … '))}”. The AI gives ${of(response.points)}, the comparison with the key ${ruleScore?.score ?? 0}.`,
    )
  else if (differsFromRules(one))
    yield reason(
      'graders_differ',
      `The AI gives ${what} ${of(response.points)}, the comparison with the key ${ruleScore?.score ?? 0}.`,
    )
  if (secondOpinion && differsFromSecondOpinion(one))
    yield reason(
      'graders_differ',
      secondOpinion.cannot_judge
        ? `The second opinion could not grade ${what}; the first result, ${of(response.points)}, is kept.`
        : `A second opinion gives ${what} ${of(secondOpinion.points)}; the first result, ${response.points}, is kept.`,
    )
  if (one.answer.text.length > MAX_ANSWER_LENGTH)
    yield reason(
      'low_confidence',
      `The answer to ${what} is very long: only its first ${MAX_ANSWER_LENGTH.toLocaleString('en')} characters were graded.`,
    )
}

const locationOf = ({ question, answer, evidence }: LlmJudgement) => ({
  question_id: question.id,
  evidence: (evidence.length > 0 ? evidence : answer.evidence).slice(0, 4),
})

const sentence = (text: string) => (text.trim() === '' ? 'it did not say why.' : shorten(text))
