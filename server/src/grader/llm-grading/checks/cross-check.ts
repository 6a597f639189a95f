import type { Evidence } from '@assay/shared/papers.ts'
import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { EXACT_KINDS } from '../../exact/judgement.ts'
import type { Answer, SuggestedCriterion } from '../../grader.ts'
import { LOW_CONFIDENCE, LOW_READING_CONFIDENCE } from '../../scoring/low-confidence.ts'
import { pointSteps } from '../../scoring/score-curve.ts'
import { wordsOf } from '../../text/terms.ts'
import { ALL_OR_NOTHING } from '../needs-llm.ts'
import type { CriterionResponse } from '../prompt/grading-prompt.ts'
import { findQuote } from './find-quote.ts'
import type { OutlierSentence } from './outlier-sentences.ts'

/** Unmasked. */
export interface LlmJudgement {
  question: Question
  criterion: Criterion
  answer: Answer
  response: CriterionResponse
  sawPage: boolean
  evidence: Evidence[]
  /** Quotes that are not in the answer. */
  strange: string[]
  ruleScore: SuggestedCriterion | null
  /** Unrelated sentences that no points rest on by the LLM's own quotes. */
  outlierSentences: OutlierSentence[]
  secondOpinion: CriterionResponse | null
}

/** In the paper's order, without repeats. Quotes without a line get the answer space. */
export function findEvidence(
  quotes: readonly string[],
  answer: Answer,
  question: Question,
): Pick<LlmJudgement, 'evidence' | 'strange'> {
  const lines = new Set<Evidence>()
  const strange: string[] = []
  const placeless: string[] = []
  for (const quote of quotes) {
    if (quote.trim() === '') continue
    const found = findQuote(quote, answer)
    if (!found) strange.push(quote)
    else if (found.length === 0) placeless.push(quote)
    for (const line of found ?? []) lines.add(line)
  }
  const evidence = answer.evidence.filter((line) => lines.has(line))
  if (placeless.length > 0)
    evidence.push(...question.regions.map(({ page, box }) => ({ page, box, quote: placeless.join(' … ') })))
  return { evidence, strange }
}

/** As shares of the points: marks this high where the rules find (next to) nothing deserve a look. */
const HIGH = 0.7
const LOW = 0.05
const SURE = 0.9 // so sure of a right answer, the rules hardly ever err
/** An LLM this far above the rules on an answer with outlier sentences may have been manipulated. */
const MANIPULATION_MARGIN = 0.2
const AT_MOST = 0.95 // no LLM knows how strict this teacher is

const shareOf = (points: number, { criterion }: Pick<LlmJudgement, 'criterion'>) => points / criterion.points

function rulesAreConfident({ ruleScore, criterion }: LlmJudgement): boolean {
  const hasKey = [criterion.expected, ...criterion.alternatives].some((text) => text.trim() !== '')
  return hasKey && ruleScore !== null && ruleScore.confidence >= LOW_CONFIDENCE
}

/** An LLM knows no better which options typed letters choose. */
const isTypedChoice = ({ question, answer, ruleScore, sawPage }: LlmJudgement): boolean =>
  ALL_OR_NOTHING.has(question.kind) && ruleScore !== null && answer.reading === 1 && !sawPage

const TERM_WORDS = 3 // fewer leave few other words for a term

/** Ideas in other words are the LLM's task. */
function rulesAreStrong({ question, criterion, answer }: LlmJudgement): boolean {
  const isTerm = (text: string) => wordsOf(text).length <= TERM_WORDS
  return EXACT_KINDS.has(question.kind) || (isTerm(answer.text) && isTerm(criterion.expected))
}

/** As a share of the points, negative for less. */
const scoreAboveRules = (one: LlmJudgement): number =>
  one.ruleScore && one.ruleScore.score !== null
    ? shareOf(one.response.points, one) - shareOf(one.ruleScore.score, one)
    : 0

const sharesNothingWithKey = (one: LlmJudgement): boolean =>
  !one.response.cannot_judge &&
  rulesAreConfident(one) &&
  shareOf(one.response.points, one) >= HIGH &&
  shareOf(one.ruleScore?.score ?? 0, one) <= LOW

/** With several criteria the rules may have chosen another one. */
const deniesKey = ({ response, ruleScore, ...one }: LlmJudgement): boolean =>
  !response.cannot_judge &&
  one.question.criteria.length === 1 &&
  ruleScore !== null &&
  ruleScore.confidence >= SURE &&
  shareOf(response.points, one) <= LOW &&
  ruleScore.score === ruleScore.max_score

/** Other differences (one in six to ten worded answers) are too frequent to review, and only lower the confidence. */
export const differsFromRules = (one: LlmJudgement): boolean =>
  ((sharesNothingWithKey(one) || deniesKey(one)) && rulesAreStrong(one)) ||
  (isTypedChoice(one) && scoreAboveRules(one) >= MANIPULATION_MARGIN && !one.response.cannot_judge)

export const mayBeManipulated = (one: LlmJudgement): boolean =>
  one.outlierSentences.length > 0 && scoreAboveRules(one) >= MANIPULATION_MARGIN && !one.response.cannot_judge

export function differsFromSecondOpinion(one: LlmJudgement): boolean {
  if (!one.secondOpinion) return false
  if (one.secondOpinion.cannot_judge !== one.response.cannot_judge) return true
  const [none = 0, step = one.criterion.points] = pointSteps(one.criterion)
  const near = Math.max(step - none, one.criterion.points / 10)
  return Math.abs(one.secondOpinion.points - one.response.points) > near + 1e-6
}

/** The LLM's own, less for contradiction or poor reading, more for agreement; the steps are chosen, not measured. */
export function confidenceOf(one: LlmJudgement): number {
  if (one.response.cannot_judge) return 0
  let confidence = Math.min(AT_MOST, one.response.confidence)
  if (one.ruleScore && rulesAreConfident(one)) {
    const apart = Math.abs(scoreAboveRules(one))
    if (apart <= 0.2) confidence += (AT_MOST - confidence) * 0.3
    else confidence *= 1 - 0.6 * (apart - 0.2) * one.ruleScore.confidence
  }
  if (mayBeManipulated(one)) confidence = Math.min(confidence, 0.5)
  if (one.response.points > 0 && one.evidence.length === 0) confidence = Math.min(confidence, 0.5)
  if (one.secondOpinion) {
    const apart = Math.abs(shareOf(one.secondOpinion.points - one.response.points, one))
    if (differsFromSecondOpinion(one)) confidence = Math.min(confidence, Math.max(0, 1 - apart), 0.6)
    else confidence += (AT_MOST - confidence) * 0.4
  }
  // What was misread may have been right; an LLM that saw the page read it itself.
  const { reading } = one.answer
  if (reading < LOW_READING_CONFIDENCE) confidence *= one.sawPage ? (1 + reading) / 2 : reading
  return Math.round(Math.max(0, confidence) * 1000) / 1000
}

export const needsSecondOpinion = (one: LlmJudgement): boolean =>
  !one.response.cannot_judge &&
  (confidenceOf(one) < LOW_CONFIDENCE || sharesNothingWithKey(one) || differsFromRules(one) || mayBeManipulated(one))

/** From the rules' total: as a share of the points, and in expected errors. */
const TOTAL_APART = 0.3
const TOTAL_ERRORS = 2.5

/** Small differences may add up. In percent; null within the rules' expected error. */
export function findDistantTotal(opinions: readonly LlmJudgement[]): { model: number; rules: number } | null {
  const known = opinions.filter((one) => one.ruleScore && one.ruleScore.confidence > 0 && !one.response.cannot_judge)
  const most = known.reduce((sum, { criterion }) => sum + criterion.points, 0)
  if (most === 0) return null
  const model = known.reduce((sum, { response }) => sum + response.points, 0) / most
  const rules = known.reduce((sum, one) => sum + (one.ruleScore?.score ?? 0), 0) / most
  const error =
    Math.sqrt(
      known.reduce(
        (sum, { ruleScore: of, criterion }) => sum + ((1 - (of?.confidence ?? 0)) * criterion.points) ** 2,
        0,
      ),
    ) / most
  if (Math.abs(model - rules) < Math.max(TOTAL_APART, TOTAL_ERRORS * error)) return null
  return { model: Math.round(model * 100), rules: Math.round(rules * 100) }
}
