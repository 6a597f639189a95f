import { LRUCache } from 'lru-cache'
import type { ClassAnswers, ExtractedSubmission } from '../grader.ts'
import { tokenizeNames } from './name-tokens.ts'

/** More papers do not improve which words belong to the subject. */
const MAX_COMPARED = 200
/** A word in this many other papers is no name, or identifies nobody. */
const MIN_SHARED_BY = 3

interface Counted {
  /** Papers that use each word. */
  counts: Map<string, number>
  ids: Set<number>
}

const cache = new LRUCache<string, Counted>({ max: 4 })

/** For folded words, counted once per class. */
export function classSharedWords(everyone: ClassAnswers, id: number): (word: string) => boolean {
  const counted = cache.get(everyone.key) ?? count(everyone)
  cache.set(everyone.key, counted)
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
