import type { Rubric } from '@assay/shared/rubrics.ts'
import type { JudgedCriterion } from './review-reasons.ts'

/** A wrong number after a wrong number in the same question may follow from it, and then many schemes give its points. */
const MAY_FOLLOW = 0.75

const mainNumberOf = (number: string): string => /\d+/.exec(number)?.[0] ?? number

/** Takes the certainty from wrong numbers that may follow from a wrong one in an earlier part of the same question. */
export function doubtCarriedErrors(
  { questions }: Pick<Rubric, 'questions'>,
  judged: JudgedCriterion[],
): JudgedCriterion[] {
  const wrongBefore = new Set<string>()
  const doubted = new Set<JudgedCriterion>()
  for (const { id, number, kind } of questions) {
    if (kind !== 'number') continue
    const main = mainNumberOf(number)
    const wrong = judged.filter(
      ({ suggestion, judgement }) =>
        suggestion.question_id === id && suggestion.score === 0 && judgement.remarks.includes('exact_wrong'),
    )
    if (wrongBefore.has(main)) for (const one of wrong) doubted.add(one)
    if (wrong.length > 0) wrongBefore.add(main)
  }
  return judged.map((one) =>
    doubted.has(one)
      ? { ...one, suggestion: { ...one.suggestion, confidence: Math.min(one.suggestion.confidence, MAY_FOLLOW) } }
      : one,
  )
}
