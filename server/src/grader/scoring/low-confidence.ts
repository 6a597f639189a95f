import type { Question, QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { overallPercent } from '@assay/shared/rules/criterion-points.ts'
import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import type { ReviewReason, SuggestedCriterion, SuggestedGrade } from '../grader.ts'

/** A less sure answer is no measure for another grader: it may err by two fifths of the points. */
export const LOW_CONFIDENCE = 0.62
/** Below it a reading is only a hint (`docs/grading.md`). */
export const LOW_READING_CONFIDENCE = 0.75
const LONG_TEXT = 3 // points from which only the teacher's decisions on others make a text sure
/** As a share of the points; a larger error goes to a person (`docs/lab/grading.md`: the curve). */
const MAX_TOTAL_ERROR = 0.06
/** The grader's part of the difference between worded and exact answers (fitted, `docs/grading.md`). */
const BIAS_FOUND = 0.7
const FEW_QUESTIONS = 2
const SURE_ENOUGH = 0.75

/** Mean squared error per expected error, as shares of the points, by kind of answer (`docs/grading.md`). */
const SQUARED = { exact: 0.3, parts: 0.15, mark: 0.4, marks: 0.24 }
/** Below this mean error a question of several marks is off by little, not seldom. */
const SMALL_ERROR = 0.2
const BY_DEGREES: ReadonlySet<QuestionKind> = new Set(['text', 'essay', 'drawing'])
const LISTS: ReadonlySet<QuestionKind> = new Set(['set', 'ordered_list'])

/** The most confidence before the teacher has decided answers of the question. */
export function mostUntried({ kind, criteria }: Pick<Question, 'kind' | 'criteria'>): number {
  const points = criteria.reduce((sum, one) => sum + one.points, 0)
  return kind === 'text' && points >= LONG_TEXT ? SURE_CONFIDENCE - 0.01 : 1
}

export const gradeFrom = (
  criteria: SuggestedCriterion[],
  reasons: ReviewReason[],
  summary: string,
): SuggestedGrade => ({
  overall_score: overallPercent(criteria),
  criteria,
  confidence: meanConfidence(criteria),
  summary,
  needs_review: reasons.length > 0,
  reasons,
})

/** Answers left to a person have no score and add no uncertainty. */
type Certainty = Pick<SuggestedCriterion, 'score' | 'confidence' | 'max_score'>

/** By points, of criteria with a score; 0 where none has one. */
function meanConfidence(criteria: readonly Certainty[]): number {
  const scored = criteria.filter(({ score }) => score !== null)
  const most = pointsOf(scored)
  const sure = scored.reduce((sum, { confidence, max_score }) => sum + confidence * max_score, 0)
  return most > 0 ? Math.round((sure / most) * 1000) / 1000 : 0
}

type Judged = Certainty & Pick<SuggestedCriterion, 'question_id'>

/** Questions without which the total's error would be small, whatever a person has decided on others. */
export function lowConfidenceReasons(rubric: Rubric, criteria: readonly Judged[]): ReviewReason[] {
  const most = pointsOf(criteria)
  const given = criteria.filter(({ score }) => score !== null)
  const bias = biasOf(rubric, given)
  const doubts = rubric.questions.map((question) => {
    const own = given.filter(({ question_id }) => question_id === question.id)
    return { question, points: pointsOf(own), squared: varianceOf(question.kind, own) + bias(own) }
  })
  let left = doubts.reduce((sum, { squared }) => sum + squared, 0)
  const named = new Set<string>()
  for (const { question, squared } of doubts.toSorted((a, b) => b.squared - a.squared)) {
    if (left <= (MAX_TOTAL_ERROR * most) ** 2) break
    named.add(question.id)
    left -= squared
  }
  return doubts
    .filter(({ question }) => named.has(question.id))
    .map(({ question: { id, number }, points, squared }) => {
      const off = Math.max(0.5, Math.round(Math.sqrt(squared) * 2) / 2)
      const message = `The grader is unsure of question ${number}: about ${off} of ${points} points may be wrong.`
      return { code: 'low_confidence', message, question_id: id, question_ids: [id] }
    })
}

/** What each answer in words has of the square of their excess over what the rest of the paper predicts. */
function biasOf({ questions }: Rubric, given: readonly Judged[]): (own: readonly Judged[]) => number {
  const kinds = new Map(questions.map(({ id, kind }) => [id, kind]))
  const isSure = (one: Judged) => !BY_DEGREES.has(kinds.get(one.question_id) ?? 'text') && one.confidence >= SURE_ENOUGH
  const sure = given.filter(isSure)
  const others = given.filter((one) => !isSure(one))
  const known = new Set(sure.map(({ question_id }) => question_id)).size
  const [rest, worded] = [shareOf(sure), shareOf(others)]
  if (rest === null || worded === null) return () => 0
  const shares = BIAS_FOUND * (known / (known + FEW_QUESTIONS)) * (worded - rest)
  return (own) => shares ** 2 * pointsOf(others) * pointsOf(own.filter((one) => !isSure(one)))
}

const pointsOf = (criteria: readonly Certainty[]) => criteria.reduce((sum, { max_score }) => sum + max_score, 0)

function shareOf(criteria: readonly Judged[]): number | null {
  const most = pointsOf(criteria)
  return most > 0 ? criteria.reduce((sum, { score }) => sum + (score ?? 0), 0) / most : null
}

/** In points². Errors within a question are correlated, those of different questions are not. */
function varianceOf(kind: QuestionKind, own: readonly Judged[]): number {
  const points = pointsOf(own)
  const error = own.reduce((sum, { confidence, max_score }) => sum + (1 - confidence) * max_score, 0)
  return points > 0 ? squaredError(kind, own, error / points) * error * points : 0
}

function squaredError(kind: QuestionKind, criteria: readonly Judged[], error: number): number {
  const parted = criteria.length > 1 || LISTS.has(kind)
  if (!BY_DEGREES.has(kind)) return parted ? SQUARED.parts : SQUARED.exact
  return pointsOf(criteria) > 1 ? SQUARED.marks * Math.min(1, error / SMALL_ERROR) : SQUARED.mark
}
