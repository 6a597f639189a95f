import type { ClassAnswers, ExtractedSubmission } from '../grader.ts'
import { tokenizeNames } from './name-tokens.ts'

/** Classes whose words are kept; they can be counted again at any time. */
const MAX_CACHED_CLASSES = 4
/** More papers say no more about which words belong to the subject. */
const MAX_COMPARED = 200
/** A word that so many others write is no name of one of them, or tells nobody who wrote it. */
const MIN_SHARED_BY = 3

interface Counted {
  /** By how many papers a word is used. */
  counts: Map<string, number>
  ids: Set<number>
}

const cache = new Map<string, Counted>()

/** Whether three other papers of the class or more have a word, folded. Counted once a class: a run asks for each paper. */
export function classSharedWords(everyone: ClassAnswers, id: number): (word: string) => boolean {
  const counted = cache.get(everyone.key) ?? count(everyone)
  // The most recently used stay.
  cache.delete(everyone.key)
  cache.set(everyone.key, counted)
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED_CLASSES) break
    cache.delete(oldest)
  }
  const own = counted.ids.has(id) ? everyone.submissions.find((one) => one.id === id)?.extracted : undefined
  const ownWords = own ? wordsOf(own) : new Set<string>()
  return (word) => (counted.counts.get(word) ?? 0) - (ownWords.has(word) ? 1 : 0) >= MIN_SHARED_BY
}

function count(everyone: ClassAnswers): Counted {
  const counted: Counted = { counts: new Map(), ids: new Set() }
  for (const { id, extracted } of everyone.submissions.slice(0, MAX_COMPARED)) {
    counted.ids.add(id)
    for (const word of wordsOf(extracted)) counted.counts.set(word, (counted.counts.get(word) ?? 0) + 1)
  }
  return counted
}

const wordsOf = ({ answers }: ExtractedSubmission): Set<string> =>
  new Set(answers.flatMap(({ text }) => tokenizeNames(text.normalize('NFC')).map(({ forms: [word = ''] }) => word)))
