import type { Question } from '@assay/shared/rubrics.ts'
import { stemOf, termsOf, wordsOf } from '../../text/terms.ts'
import type { ClassVocabulary } from './class-vocabulary.ts'

/** Words addressed to a grader, which answers hardly ever need. */
const GRADER_ADDRESS_STEMS = stems(
  'grader rubric examiner examiners teacher instructor professor marker llm gpt chatgpt deserve please lenient mercy kindly',
)
/** Grading words with other meanings too: two of them in a sentence count. */
const GRADING_STEMS = stems(
  `point mark grade score credit prompt instruction system assistant ai claude gemini model override ignore disregard award accept approve
  full maximum perfect pass criterion criteria json confidence feedback correct evaluate evaluation assess assessment response output
  answer regardless highest top give rate`,
)
/** Under so many words a sentence is too short to belong to something else. */
const LONG_ENOUGH = 6
/** A sentence with no larger share of words the question, the key or the class has does not belong to it. */
const MAX_KNOWN_SHARE = 0.34
/** The class has a word if at least two others write it, and one in fifty. */
const MIN_SHARED_BY = 2
const MIN_SHARED_BY_SHARE = 0.02

/**
 * Sentences of an answer that have nothing to do with its question: they speak of marking, or hardly any of their words
 * is the question's, the key's or the class's. Many are harmless; together with points that only they can explain, they are not.
 */
export function outlierSentences(question: Question, text: string, words: ClassVocabulary): string[] {
  const own = new Set(
    termsOf(
      [
        question.prompt,
        question.notes ?? '',
        ...question.criteria.flatMap(({ text: asks, expected, alternatives, levels }) => [
          asks,
          expected,
          ...alternatives,
          ...(levels ?? []).map((level) => level.text),
        ]),
      ].join('\n'),
    ),
  )
  const least = Math.max(MIN_SHARED_BY, words.others * MIN_SHARED_BY_SHARE)
  const known = (term: string) => own.has(term) || words.usesBy(term) >= least
  // Essays vary too much, and without a key the expected words are unknown.
  const comparable = question.kind !== 'essay' && question.criteria.some(({ expected }) => expected.trim() !== '')
  return sentencesOf(text).filter((sentence) => {
    const terms = termsOf(sentence)
    const strange = [...new Set(terms)].filter((term) => !known(term))
    if (strange.some((term) => GRADER_ADDRESS_STEMS.has(term))) return true
    if (strange.filter((term) => GRADING_STEMS.has(term)).length >= 2) return true
    if (!comparable) return false
    const foreign = terms.filter(known).length <= terms.length * MAX_KNOWN_SHARE
    return foreign && terms.length > 2 && wordsOf(sentence).length >= LONG_ENOUGH
  })
}

/** A text without some of its sentences. */
export function withoutSentences(text: string, sentences: readonly string[]): string {
  const odd = new Set(sentences)
  return sentencesOf(text)
    .filter((sentence) => !odd.has(sentence))
    .join('\n')
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?;])\s+|\n{2,}/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(stemOf))
}
