import type { ClassAnswers, LaidSubmission } from '../grader.ts'
import { wordsAt } from './name-words.ts'

/** Classes whose words are kept; they can be counted again at any time. */
const KEPT = 4
/** More papers say no more about which words belong to the subject. */
const COMPARED = 200
/** A word that so many others write is no name of one of them, or tells nobody who wrote it. */
const SHARED_BY = 3

interface Counted {
  /** By how many papers a word is used. */
  counts: Map<string, number>
  ids: Set<number>
}

const kept = new Map<string, Counted>()

/** Whether three other papers of the class or more have a word, folded. Counted once a class: a run asks for each paper. */
export function sharedWords(everyone: ClassAnswers, id: number): (word: string) => boolean {
  const counted = kept.get(everyone.key) ?? count(everyone)
  // The most recently used stay.
  kept.delete(everyone.key)
  kept.set(everyone.key, counted)
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
  const own = counted.ids.has(id) ? everyone.submissions.find((one) => one.id === id)?.laid : undefined
  const ownWords = own ? wordsOf(own) : new Set<string>()
  return (word) => (counted.counts.get(word) ?? 0) - (ownWords.has(word) ? 1 : 0) >= SHARED_BY
}

function count(everyone: ClassAnswers): Counted {
  const counted: Counted = { counts: new Map(), ids: new Set() }
  for (const { id, laid } of everyone.submissions.slice(0, COMPARED)) {
    counted.ids.add(id)
    for (const word of wordsOf(laid)) counted.counts.set(word, (counted.counts.get(word) ?? 0) + 1)
  }
  return counted
}

const wordsOf = ({ answers }: LaidSubmission): Set<string> =>
  new Set(answers.flatMap(({ text }) => wordsAt(text.normalize('NFC')).map(({ forms: [word = ''] }) => word)))
