import type { Question } from '@assay/shared/rubrics.ts'
import { EXACT_KINDS } from '../exact/exact-kinds.ts'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { isNonAnswer } from '../text/terms.ts'

/** Above this the rules are hardly ever wrong about an answer that is right. */
const MIN_RULE_CONFIDENCE = 0.9
/** Right or wrong and nothing between: here the rules are as sure of what is wrong. */
const ALL_OR_NOTHING: ReadonlySet<Question['kind']> = new Set(['choice', 'true_false'])
/** “✓; ✗” has no words and is an answer. */
const MARKS = /[\p{S}✓✔✗✘☑☒]/u

/** No answer, or one that says it is none. */
function isEmptyAnswer(question: Question, answer: Answer, canSee: boolean): boolean {
  if (!answer.found) return true
  // What cannot be read may be seen; where it was seen and could not be read, a person has to, and so of circles that are not plainly
  // filled. OCR's guess at it is nothing to grade.
  if (answer.unreadable) return !canSee || answer.seen === true || answer.sheet !== undefined
  // A drawing has no text.
  if (question.kind === 'drawing') return !canSee
  return isNonAnswer(answer.text) && !MARKS.test(answer.text)
}

/**
 * Whether a question needs an LLM. The rules suffice where there is nothing to judge, and where they compare exactly and are sure: that an
 * answer is right, or, of a choice, that it is wrong. A wrong result may have earned marks for its working, or rest on an earlier
 * error; and only an LLM can follow a teacher's notes.
 */
export function needsLlm(
  question: Question,
  answer: Answer | undefined,
  byRules: readonly SuggestedCriterion[],
  canSee: boolean,
): answer is Answer {
  if (!answer || isEmptyAnswer(question, answer, canSee)) return false
  if (!EXACT_KINDS.has(question.kind) || question.notes?.trim()) return true
  const sure = byRules.length > 0 && byRules.every((one) => one.confidence >= MIN_RULE_CONFIDENCE)
  const right = byRules.every((one) => one.score === one.max_score)
  return !sure || (!right && !ALL_OR_NOTHING.has(question.kind) && !isBareResult(question, answer))
}

/** A question of its own, not a part that may rest on another. */
const WHOLE_QUESTION = /^\W*(?:q(?:uestion)?\W*)?\d+\W*$/i
const MOST_WORDS_OF_RESULT = 3

/** A result without any working, which nothing but itself speaks for. */
const isBareResult = ({ number, criteria }: Question, { text }: Answer): boolean =>
  WHOLE_QUESTION.test(number) &&
  criteria.every(({ levels = [] }) => levels.length === 0) &&
  !/[=\n;]/.test(text) &&
  text.trim().split(/\s+/).length <= MOST_WORDS_OF_RESULT

/** An LLM that read an answer from the page, and was sure, need not look again. */
const SURELY_READ = 0.75

/** Whether an LLM has to be shown an answer to grade it: what was typed needs no picture, unless it was drawn. */
export const needsPicture = (
  question: Pick<Question, 'kind'>,
  answer: Pick<Answer, 'reading' | 'unreadable' | 'seen'>,
) =>
  question.kind === 'drawing' ||
  answer.unreadable === true ||
  (answer.seen ? answer.reading < SURELY_READ : answer.reading < 1)
