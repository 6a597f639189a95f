import type { Question } from '@assay/shared/rubrics.ts'
import { EXACT_KINDS } from '../exact/judgement.ts'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { criterionTexts } from '../rubric/rubric-text.ts'
import { isNonAnswer } from '../text/terms.ts'

const MIN_RULE_CONFIDENCE = 0.9 // above it the rules hardly ever err about a right answer
/** Here the rules are as sure of wrong answers. */
export const ALL_OR_NOTHING: ReadonlySet<Question['kind']> = new Set(['choice', 'true_false'])
/** “✓; ✗” has no words and is an answer. */
const MARKS = /[\p{S}✓✔✗✘☑☒]/u

function isEmptyAnswer(question: Question, answer: Answer, canSee: boolean): boolean {
  if (!answer.found) return true
  // Unreadable answers need pictures; if a model looked in vain, or circles are not plainly filled, a person decides.
  if (answer.unreadable) return !canSee || answer.seen === true || answer.sheet !== undefined
  if (question.kind === 'drawing') return !canSee
  return isNonAnswer(answer.text) && !MARKS.test(answer.text)
}

/**
 * Rules suffice for a sure exact match (of a choice also a mismatch); only an LLM can mark working, earlier errors and
 * a teacher's notes.
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

/** A part may rest on another. */
const WHOLE_QUESTION = /^\W*(?:q(?:uestion)?\W*)?\d+\W*$/i
const MOST_WORDS_OF_RESULT = 3

const isBareResult = ({ number, criteria }: Question, { text }: Answer): boolean =>
  WHOLE_QUESTION.test(number) &&
  criteria.every(({ levels = [] }) => levels.length === 0) &&
  !/[=\n;]/.test(text) &&
  text.trim().split(/\s+/).length <= MOST_WORDS_OF_RESULT

const SURELY_READ = 0.75 // a sure reading by an LLM needs no second look

/** Typed answers need none, unless it was drawn. */
export const needsPicture = (
  question: Pick<Question, 'kind'>,
  answer: Pick<Answer, 'reading' | 'unreadable' | 'seen'>,
) =>
  question.kind === 'drawing' ||
  answer.unreadable === true ||
  (answer.seen ? answer.reading < SURELY_READ : answer.reading < 1)

const CARRIED =
  /\becf\b|\be\.c\.f\.|\berrors? carried|\bcarried forward|\bfollow(?:s|ing)?[ -]through|\bconsequential (?:error|mark)|\b(?:their|candidate['’]s|student['’]s) (?:own )?(?:answer|value|result|figure|\(?[a-h]\)?(?![\p{L}]))/iu
/** Not “ft”, which is feet. */
const FOLLOW_THROUGH = /\bFT\b/

const MOST = 5

export interface EarlierAnswer {
  number: string
  expected: string
  text: string
}

const mainNumber = ({ number }: Pick<Question, 'number'>) => /^\D*\d+/.exec(number)?.[0] ?? ''

/** Parts before this one, where its scheme carries errors forward. */
export function earlierAnswers(
  question: Question,
  questions: readonly Question[],
  answers: readonly Answer[],
): EarlierAnswer[] {
  const { notes = '', criteria } = question
  const scheme = [notes, ...criterionTexts(criteria)].join('\n')
  if (!CARRIED.test(scheme) && !FOLLOW_THROUGH.test(scheme)) return []
  const at = questions.findIndex(({ id }) => id === question.id)
  const before = questions.slice(0, at)
  const parts = before.filter((one) => mainNumber(one) === mainNumber(question))
  return (parts.length > 0 ? parts : before.slice(-1)).slice(-MOST).flatMap((one) => {
    const answer = answers.find(({ question_id }) => question_id === one.id)
    if (!answer || answer.unreadable || answer.text.trim() === '') return []
    const expected = one.criteria.map((criterion) => criterion.expected).join('; ')
    return [{ number: one.number, expected, text: answer.text }]
  })
}
