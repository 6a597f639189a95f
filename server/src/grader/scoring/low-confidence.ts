import type { QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { numberedList } from '@assay/shared/rules/format-list.ts'
import type { ReviewReason, SuggestedCriterion } from '../grader.ts'

/** A less sure answer is no measure for another grader: it may err by two fifths of the points. */
export const LOW_CONFIDENCE = 0.62
/** Below it a reading is only a hint (`docs/grading.md`). */
export const LOW_READING_CONFIDENCE = 0.75
/** Larger standard errors, as a share of the points, go to a person (`docs/grading.md`: the curve). */
const MAX_TOTAL_ERROR = 0.11
/** Share of the worded answers' difference from exact ones that is the grader's error (fitted, `docs/grading.md`). */
const BIAS_FOUND = 0.7
const FEW_QUESTIONS = 2
const SURE_ENOUGH = 0.75
/** Standard deviation of an essay's score about the rest of the paper, as a share of its points. */
const SPREAD_OF_UNSCORED = 0.35
/** Share of the confidences' variance that is left once the difference to the rest of the paper is taken out. */
const VARIANCE_LEFT = 0.6

/** Share of the points lost by a wrong judgement, by kind of answer. */
const SIZE_OF_ERROR = { exact: 1, parts: 0.5, mark: 0.55, marks: 0.37 }
/** Below this mean error a question of several marks is off by little, not seldom. */
const SMALL_ERROR = 0.2
const BY_DEGREES: ReadonlySet<QuestionKind> = new Set(['text', 'essay', 'drawing'])
const LISTS: ReadonlySet<QuestionKind> = new Set(['set', 'ordered_list'])

/** Answers left to a person have no score and add no uncertainty. */
type Certainty = Pick<SuggestedCriterion, 'score' | 'confidence' | 'max_score'>

/** By points, of criteria with a score; 0 where none has one. */
export function meanConfidence(criteria: readonly Certainty[]): number {
  const scored = criteria.filter(({ score }) => score !== null)
  const most = scored.reduce((sum, { max_score }) => sum + max_score, 0)
  const sure = scored.reduce((sum, { confidence, max_score }) => sum + confidence * max_score, 0)
  return most > 0 ? Math.round((sure / most) * 1000) / 1000 : 0
}

type Judged = Certainty & Pick<SuggestedCriterion, 'question_id'>

/** In points. */
interface TotalError {
  /** Points that have a score. */
  scored: number
  variances: { id: string; variance: number }[]
  /** Excess of worded answers over what the rest of the paper predicts. */
  bias: number
  worded: string[]
}

/** Names the questions (by printed number) without which the total would be certain. */
export function lowConfidenceReason(rubric: Rubric, criteria: readonly Judged[]): ReviewReason | null {
  const { scored, variances, bias, worded } = errorOfTotal(rubric, criteria)
  const allowed = (MAX_TOTAL_ERROR * scored) ** 2
  const total = variances.reduce((sum, { variance }) => sum + variance, bias ** 2)
  let left = total
  if (scored <= 0 || left <= allowed) return null
  const named = new Set<string>()
  const off = Math.round((Math.sqrt(total) / scored) * 100)
  if (left - bias ** 2 <= allowed) {
    const than = bias > 0 ? 'much more' : 'much less'
    return reasonAbout(
      rubric,
      worded,
      (which) => `Answers in words got ${than} than the rest of this paper. Check ${which}.`,
    )
  }
  for (const { id, variance } of variances.toSorted((a, b) => b.variance - a.variance)) {
    if (left <= allowed) break
    named.add(id)
    left -= variance
  }
  return reasonAbout(
    rubric,
    [...named],
    (which) => `The grader is unsure of the points for ${which}. The total may be off by about ${off} of 100.`,
  )
}

/** Once a person has graded the rest, which is as likely better as worse than the paper's average. */
export function isTotalUncertain(rubric: Rubric, criteria: readonly Judged[]): boolean {
  const { scored, variances, bias } = errorOfTotal(rubric, criteria)
  const most = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  const left = SPREAD_OF_UNSCORED * (most - scored)
  const error = variances.reduce((sum, { variance }) => sum + variance, bias ** 2 + left ** 2)
  return error > (MAX_TOTAL_ERROR * most) ** 2
}

function errorOfTotal(rubric: Rubric, criteria: readonly Judged[]): TotalError {
  const given = criteria.filter(({ score }) => score !== null)
  const scored = given.reduce((sum, { max_score }) => sum + max_score, 0)
  const kinds = new Map(rubric.questions.map(({ id, kind }) => [id, kind]))
  const isSure = (one: Judged) => !BY_DEGREES.has(kinds.get(one.question_id) ?? 'text') && one.confidence >= SURE_ENOUGH
  const sure = given.filter(isSure)
  const others = given.filter((one) => !isSure(one))
  const known = new Set(sure.map(({ question_id }) => question_id)).size
  const [rest, worded] = [shareOf(sure), shareOf(others)]
  const trust = known / (known + FEW_QUESTIONS)
  const bias = rest === null || worded === null ? 0 : BIAS_FOUND * trust * (worded - rest) * (scored - pointsOf(sure))
  return {
    scored,
    variances: variancesOf(rubric, given),
    bias,
    worded: [...new Set(others.map(({ question_id }) => question_id))],
  }
}

const pointsOf = (criteria: readonly Judged[]) => criteria.reduce((sum, { max_score }) => sum + max_score, 0)

function shareOf(criteria: readonly Judged[]): number | null {
  const most = pointsOf(criteria)
  return most > 0 ? criteria.reduce((sum, { score }) => sum + (score ?? 0), 0) / most : null
}

function reasonAbout(rubric: Rubric, ids: readonly string[], message: (which: string) => string): ReviewReason {
  const questions = rubric.questions.filter(({ id }) => ids.includes(id))
  const [only, ...more] = questions
  return {
    code: 'low_confidence',
    message: message(
      numberedList(
        'question',
        questions.map(({ number }) => number),
      ),
    ),
    question_ids: questions.map(({ id }) => id),
    ...(only && more.length === 0 ? { question_id: only.id } : {}),
  }
}

/** In points². Errors within a question are correlated, those of different questions are not. */
function variancesOf(rubric: Rubric, criteria: readonly Judged[]): { id: string; variance: number }[] {
  return rubric.questions.map(({ id, kind }) => {
    const own = criteria.filter(({ question_id }) => question_id === id)
    const points = own.reduce((sum, { max_score }) => sum + max_score, 0)
    const error = own.reduce((sum, { confidence, max_score }) => sum + (1 - confidence) * max_score, 0)
    return { id, variance: points > 0 ? VARIANCE_LEFT * sizeOfError(kind, own, error / points) * error * points : 0 }
  })
}

function sizeOfError(kind: QuestionKind, criteria: readonly Judged[], error: number): number {
  const parted = criteria.length > 1 || LISTS.has(kind)
  if (!BY_DEGREES.has(kind)) return parted ? SIZE_OF_ERROR.parts : SIZE_OF_ERROR.exact
  const points = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  return points > 1 ? SIZE_OF_ERROR.marks * Math.min(1, error / SMALL_ERROR) : SIZE_OF_ERROR.mark
}
