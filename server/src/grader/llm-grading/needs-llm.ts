import type { Question } from '@assay/shared/rubrics.ts'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { isNonAnswer } from '../text/terms.ts'

/** Kinds the rules compare exactly. */
const EXACT_KINDS: ReadonlySet<Question['kind']> = new Set([
  'choice',
  'true_false',
  'number',
  'set',
  'ordered_list',
  'formula',
])
/** Above this the rules are wrong about at most one exact answer in ten: not worth paying for. */
const MIN_RULE_CONFIDENCE = 0.9

/** No answer, or one that says it is none. */
function isEmptyAnswer(question: Question, answer: Answer | undefined, canSee: boolean): boolean {
  if (!answer?.found) return true
  // What cannot be read may be seen.
  if (answer.unreadable && canSee) return false
  // A drawing has no text.
  if (question.kind === 'drawing') return !canSee
  return isNonAnswer(answer.text)
}

/**
 * Whether a question needs an LLM. The rules suffice where there is nothing to judge, and where they compare
 * exactly and are sure; only an LLM can follow a teacher's notes and intermediate levels.
 */
export function needsLlm(
  question: Question,
  answer: Answer | undefined,
  byRules: readonly SuggestedCriterion[],
  canSee: boolean,
): answer is Answer {
  if (isEmptyAnswer(question, answer, canSee)) return false
  if (!EXACT_KINDS.has(question.kind) || question.notes?.trim()) return true
  const sure = byRules.length > 0 && byRules.every((one) => one.confidence >= MIN_RULE_CONFIDENCE)
  const steps = question.criteria.some((criterion) => (criterion.levels?.length ?? 0) > 0)
  return !sure || (steps && byRules.some((one) => one.score !== one.max_score))
}
