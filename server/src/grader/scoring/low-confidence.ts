import type { QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import type { ReviewReason, SuggestedCriterion } from '../grader.ts'

/** An answer less sure than this is no measure for another grader: between right and wrong a grader errs by two fifths of the points. */
export const LOW_CONFIDENCE = 0.62
/** Under this the reading is only a hint (`docs/grading.md`). */
export const LOW_READING_CONFIDENCE = 0.75
/** A paper whose total has a larger standard error than this, as a share of the points, goes to a person (`docs/grading.md`: the curve). */
const MAX_TOTAL_ERROR = 0.085

/**
 * How much of the points is lost where an answer is judged wrongly: all of one that is right or wrong, part of one with a mark for its
 * working, of a list, and of what is a matter of degree.
 */
const SIZE_OF_ERROR = { exact: 1, parts: 0.5, mark: 0.55, marks: 0.37 }
/** Where a question of several marks is off by less than this on average, it is by little, not seldom. */
const SMALL_ERROR = 0.2
const BY_DEGREES: ReadonlySet<QuestionKind> = new Set(['text', 'essay', 'drawing'])
const LISTS: ReadonlySet<QuestionKind> = new Set(['set', 'ordered_list'])

/** What is left to a person has no score, and is no uncertainty about the rest. */
type Certainty = Pick<SuggestedCriterion, 'score' | 'confidence' | 'max_score'>

/** Of the criteria with a score, by their points; 0 where none has one. */
export function meanConfidence(criteria: readonly Certainty[]): number {
  const scored = criteria.filter(({ score }) => score !== null)
  const most = scored.reduce((sum, { max_score }) => sum + max_score, 0)
  const sure = scored.reduce((sum, { confidence, max_score }) => sum + confidence * max_score, 0)
  return most > 0 ? Math.round((sure / most) * 1000) / 1000 : 0
}

type Judged = Certainty & Pick<SuggestedCriterion, 'question_id'>

/** That the total is uncertain, if it is, naming the questions (by their printed numbers) without which it would not be. */
export function lowConfidenceReason(rubric: Rubric, criteria: readonly Judged[]): ReviewReason | null {
  const scored = criteria.filter(({ score }) => score !== null)
  const variances = variancesOf(rubric, scored)
  const most = scored.reduce((sum, { max_score }) => sum + max_score, 0)
  const allowed = (MAX_TOTAL_ERROR * most) ** 2
  const total = variances.reduce((sum, { variance }) => sum + variance, 0)
  let left = total
  if (most <= 0 || left <= allowed) return null
  const named = new Set<string>()
  for (const { id, variance } of variances.toSorted((a, b) => b.variance - a.variance)) {
    if (left <= allowed) break
    named.add(id)
    left -= variance
  }
  const questions = rubric.questions.filter(({ id }) => named.has(id))
  const numbers = questions.map(({ number }) => number)
  const off = Math.round((Math.sqrt(total) / most) * 100)
  const [only] = questions
  return {
    code: 'low_confidence',
    message: `The grader is unsure of the points for ${questionsInWords(numbers)}. The total may be off by about ${off} of 100.`,
    question_ids: questions.map(({ id }) => id),
    ...(only && questions.length === 1 ? { question_id: only.id } : {}),
  }
}

/** `question 2`, `questions 2 and 5`, `questions 1, 2 and 5`. */
function questionsInWords(numbers: readonly string[]): string {
  if (numbers.length === 1) return `question ${numbers[0]}`
  return `questions ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

/**
 * Each question's share in the variance of the total, in points². The points of one question are judged by the same words and go
 * wrong together; different questions do not.
 */
function variancesOf(rubric: Rubric, criteria: readonly Judged[]): { id: string; variance: number }[] {
  return rubric.questions.map(({ id, kind }) => {
    const own = criteria.filter(({ question_id }) => question_id === id)
    const points = own.reduce((sum, { max_score }) => sum + max_score, 0)
    const error = own.reduce((sum, { confidence, max_score }) => sum + (1 - confidence) * max_score, 0)
    return { id, variance: points > 0 ? sizeOfError(kind, own, error / points) * error * points : 0 }
  })
}

function sizeOfError(kind: QuestionKind, criteria: readonly Judged[], error: number): number {
  const parted = criteria.length > 1 || LISTS.has(kind)
  if (!BY_DEGREES.has(kind)) return parted ? SIZE_OF_ERROR.parts : SIZE_OF_ERROR.exact
  const points = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  return points > 1 ? SIZE_OF_ERROR.marks * Math.min(1, error / SMALL_ERROR) : SIZE_OF_ERROR.mark
}
