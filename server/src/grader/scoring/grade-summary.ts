import type { Question } from '@assay/shared/rubrics.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import { sumPoints } from '@assay/shared/rules/points.ts'
import type { SuggestedCriterion } from '../grader.ts'

/** Says nothing of answers without a score, as it stays after a person grades them; empty where none has one. */
export function summariseGrade(
  questions: readonly Question[],
  criteria: readonly Pick<SuggestedCriterion, 'question_id' | 'score' | 'max_score'>[],
): string {
  const shares = questions.map((question) => {
    const own = criteria.filter((criterion) => criterion.question_id === question.id)
    return {
      number: question.number,
      share: sumPoints(own.map(({ score }) => score ?? 0)) / sumPoints(own.map((one) => one.max_score)),
      known: own.length > 0 && own.every((one) => one.score !== null),
    }
  })
  const known = shares.filter((one) => one.known)
  if (known.length === 0) return ''
  const strong = known.filter((one) => one.share >= 0.75)
  const weak = known.filter((one) => one.share < 0.5).sort((a, b) => a.share - b.share)
  const middling = known.filter((one) => one.share >= 0.5 && one.share < 0.75)
  const sentences: string[] = []
  if (strong.length === shares.length) sentences.push('A strong paper: every answer has the main ideas.')
  else if (strong.length > 0)
    sentences.push(
      `Your ${strong.length === 1 ? 'answer' : 'answers'} to ${questionsOf(strong)} ${strong.length === 1 ? 'is' : 'are'} strong.`,
    )
  else if (criteria.some(({ score }) => score !== null && score > 0))
    sentences.push('This paper makes some good starts.')
  else sentences.push('None of the answers has earned points yet.')
  if (weak.length > 0) sentences.push(`Work most on ${questionsOf(weak.slice(0, 3))}.`)
  if (middling.length > 0)
    sentences.push(
      `${capitalized(questionsOf(middling.slice(0, 3)))} ${middling.length === 1 ? 'is' : 'are'} partly right.`,
    )
  return sentences.join(' ')
}

function questionsOf(list: { number: string }[]): string {
  const numbers = list.map(({ number }) => number)
  return numberedList('question', numbers)
}
