import { listOf } from '@assay/shared/rules/format-list.ts'
import type { SimilarAnswers } from '@assay/shared/similarity.ts'
import { plural } from '../../lib/format.ts'

/** “12 words in a row in question 2, rare words in common in question 5, and the same wrong answer to question 7.” */
export function whySimilar(answers: readonly SimilarAnswers[]): string {
  const inWords = answers.filter(({ kind }) => kind === 'words')
  const reasons = inWords.map(({ number, passages: [longest] }) =>
    longest && longest.words >= 5
      ? `${plural(longest.words, 'word')} in a row in question ${number}`
      : `rare words in common in question ${number}`,
  )
  const wrong = answers.filter(({ kind }) => kind === 'same_wrong_answer').map(({ number }) => number)
  if (wrong.length > 0) reasons.push(`the same wrong answer to question${wrong.length > 1 ? 's' : ''} ${listOf(wrong)}`)
  const sentence = listOf(reasons)
  return sentence === '' ? 'Rare words in common.' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
