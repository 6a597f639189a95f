import type { Question } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import type { ClassAnswers, ExtractedSubmission } from '../../grader.ts'
import { criterionTexts } from '../../rubric/rubric-text.ts'
import { stemOf, termsOf, wordsOf } from '../../text/terms.ts'

/** Answers hardly ever address a grader. */
const GRADER_ADDRESS_STEMS = stems(
  'grader rubric examiner examiners teacher instructor professor marker llm gpt chatgpt deserve please lenient mercy kindly',
)
/** Words with other meanings too: two of them in a sentence count. */
const GRADING_STEMS = stems(
  `point mark grade score credit prompt instruction system assistant ai claude gemini model override ignore disregard award accept approve
  full maximum perfect pass criterion criteria json confidence feedback correct evaluate evaluation assess assessment response output
  answer regardless highest top give rate`,
)
const LONG_ENOUGH = 6
const MIN_UNQUOTED = 7 // longer unquoted runs are more than what a quote leaves out
/** A smaller share of words known from question, key or class means unrelated. */
const MAX_KNOWN_SHARE = 0.34
/** A class word has at least two other writers, and one in fifty. */
const MIN_SHARED_BY = 2
const MIN_SHARED_BY_SHARE = 0.02

export interface OutlierSentence {
  text: string
  /** Otherwise its words are only foreign, as a paraphrase's may be. */
  speaksOfMarking: boolean
}

/** Harmless unless only they can explain the points. */
export function outlierSentences(question: Question, text: string, words: ClassVocabulary): OutlierSentence[] {
  const { prompt, notes = '', criteria } = question
  const own = new Set(termsOf([prompt, notes, ...criterionTexts(criteria)].join('\n')))
  const least = Math.max(MIN_SHARED_BY, words.others * MIN_SHARED_BY_SHARE)
  const known = (term: string) => own.has(term) || words.usesBy(term) >= least
  // Essays vary too much, and without a key the expected words are unknown.
  const comparable = question.kind !== 'essay' && criteria.some(({ expected }) => expected.trim() !== '')
  return sentencesOf(text).flatMap((sentence) => {
    const terms = termsOf(sentence)
    const strange = [...new Set(terms)].filter((term) => !known(term))
    const speaksOfMarking =
      strange.some((term) => GRADER_ADDRESS_STEMS.has(term)) ||
      strange.filter((term) => GRADING_STEMS.has(term)).length >= 2
    const few = terms.filter(known).length <= terms.length * MAX_KNOWN_SHARE
    const foreign = comparable && few && terms.length > 2 && wordsOf(sentence).length >= LONG_ENOUGH
    return speaksOfMarking || foreign ? [{ text: sentence, speaksOfMarking }] : []
  })
}

/** Sentences quoted for points are answers in other words; words about marking never are. */
export function unquotedOutliers(sentences: readonly OutlierSentence[], quotes: readonly string[]): OutlierSentence[] {
  const quoted = quotes.map(wordsOf).filter((words) => words.length > 0)
  return sentences.filter(({ text, speaksOfMarking }) => {
    const words = wordsOf(text)
    return speaksOfMarking || longestRunWithout(words, quoted) >= Math.min(words.length, MIN_UNQUOTED)
  })
}

/** Quotes may begin or end outside of the sentence. */
function longestRunWithout(words: readonly string[], quotes: readonly string[][]): number {
  const isQuoted = new Array<boolean>(words.length).fill(false)
  for (const quote of quotes)
    for (let at = 1 - quote.length; at < words.length; at++) {
      const from = Math.max(0, at)
      const to = Math.min(words.length, at + quote.length)
      const isSame = words.slice(from, to).every((word, i) => word === quote[from + i - at])
      if (isSame && to - from > 1) isQuoted.fill(true, from, to)
    }
  let [longest, run] = [0, 0]
  for (const one of isQuoted) {
    run = one ? 0 : run + 1
    longest = Math.max(longest, run)
  }
  return longest
}

export function withoutSentences(text: string, sentences: readonly Pick<OutlierSentence, 'text'>[]): string {
  const odd = new Set(sentences.map((sentence) => sentence.text))
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

const MAX_COMPARED = 200

interface Counted {
  counts: Map<string, number>
  compared: number
  ids: Set<number>
}

const cache = new LRUCache<string, Map<string, Counted>>({ max: 8 })

/** Out of `others` students, those who use a term for a question. */
interface ClassVocabulary {
  usesBy(term: string): number
  others: number
}

/** Without the paper `id`. Counted once per class. */
export function classVocabulary(everyone: ClassAnswers, questionId: string, id: number): ClassVocabulary {
  const questions = cache.get(everyone.key) ?? new Map<string, Counted>()
  const counted = questions.get(questionId) ?? count(everyone, questionId)
  questions.set(questionId, counted)
  cache.set(everyone.key, questions)
  const paper = everyone.submissions.find((one) => one.id === id)?.extracted
  const own = new Set(counted.ids.has(id) ? termsOf(textOf(paper, questionId)) : [])
  return {
    usesBy: (term) => (counted.counts.get(term) ?? 0) - (own.has(term) ? 1 : 0),
    others: counted.compared - (counted.ids.has(id) ? 1 : 0),
  }
}

function count(everyone: ClassAnswers, questionId: string): Counted {
  const counted: Counted = { counts: new Map(), compared: 0, ids: new Set() }
  for (const { id, extracted } of everyone.submissions) {
    const text = textOf(extracted, questionId)
    if (text.trim() === '') continue
    for (const term of new Set(termsOf(text))) counted.counts.set(term, (counted.counts.get(term) ?? 0) + 1)
    counted.ids.add(id)
    counted.compared++
    if (counted.compared === MAX_COMPARED) break
  }
  return counted
}

const textOf = (extracted: ExtractedSubmission | undefined, questionId: string): string =>
  extracted?.answers.find((answer) => answer.question_id === questionId)?.text ?? ''
