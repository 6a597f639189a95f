import { spellingSimilarity } from './fuzzy-match.ts'
import { isNegated, isStopWord, stemOf, termsOf, wordsOf } from './terms.ts'

/** Mostly the key's terms, without its small words or in shuffled order. */
export function isKeywordList(answer: string, key: string): boolean {
  const words = wordsOf(answer)
  const terms = words.filter((word) => !isStopWord(word)).map(stemOf)
  const keyWords = wordsOf(key)
  const keyTerms = new Set(termsOf(key))
  if (terms.length < 5 || keyTerms.size < 4) return false
  if (isShuffledKey(words, keyWords)) return true
  const smallInKey = 1 - keyWords.filter((word) => !isStopWord(word)).length / keyWords.length
  if (smallInKey < 0.25) return false
  const small = 1 - terms.length / words.length
  const fromKey = terms.filter((term) => keyTerms.has(term))
  const covered = new Set(fromKey).size / keyTerms.size
  if (fromKey.length >= terms.length * 0.6 && covered >= 0.5 && (small <= 0.12 || isFillerChain(words))) return true
  // Half a class's vocabulary without a sentence says no more.
  if (terms.length >= 10 && small <= 0.05 && covered >= 0.3 && !hasPunctuation(answer)) return true
  // Repeating one telling word is the same trick.
  return terms.length >= 8 && new Set(terms).size <= terms.length / 3 && covered > 0.2
}

/** “the light and the energy and the water …” */
function isFillerChain(words: string[]): boolean {
  const small = words.filter((word) => isStopWord(word))
  return words.length >= 12 && new Set(small).size <= 2 && small.length >= words.length * 0.4
}

/** Notes have commas, arrows, sums or full stops; a salad of words has none. */
const hasPunctuation = (answer: string): boolean => /[.,;:+=→>()-]/.test(answer.trim().replace(/[.]$/, ''))

/** No honest answer has nearly all the key's words, small ones too, in another order. */
function isShuffledKey(words: string[], keyWords: string[]): boolean {
  if (keyWords.length < 10 || words.length < 10) return false
  const shared = countShared(words, keyWords)
  if (shared < keyWords.length * 0.8 || shared < words.length * 0.8) return false
  return countShared(runsOf(words, 2), runsOf(keyWords, 2)) < 0.25 * (keyWords.length - 1)
}

/** Word for word, or with few words added, and too long for coincidence. */
export function isCopiedKey(answer: string, key: string): boolean {
  const keyWords = wordsOf(key)
  if (keyWords.length < 14) return false
  const words = wordsOf(answer)
  const repeats = (length: number, share: number) => {
    const there = new Set(runsOf(words, length))
    const runs = runsOf(keyWords, length)
    return runs.filter((run) => there.has(run)).length >= runs.length * share
  }
  return repeats(5, 0.8) || repeats(3, 0.75)
}

export function isRepeatedPrompt(answer: string, prompt: string, keys: readonly string[]): boolean {
  const words = wordsOf(answer)
  if (words.length < 6) return false
  const asked = new Set(runsOf(wordsOf(prompt), 3))
  const repeated = new Set(runsOf(words, 3).flatMap((run, at) => (asked.has(run) ? [at, at + 1, at + 2] : [])))
  if (repeated.size < words.length * 0.7) return false
  const known = new Set(termsOf(prompt))
  const own = new Set(termsOf(answer).filter((term) => !known.has(term)))
  return !keys.some(
    (key) => termsOf(key).some((term) => own.has(term)) || runsOf(wordsOf(key), 3).some((run) => asked.has(run)),
  )
}

export const runsOf = (words: string[], length: number): string[] =>
  Array.from({ length: Math.max(0, words.length - length + 1) }, (_, at) => words.slice(at, at + length).join(' '))

function countShared(some: string[], others: string[]): number {
  const left = new Map<string, number>()
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of some) {
    const count = left.get(word) ?? 0
    if (count > 0) shared += 1
    left.set(word, count - 1)
  }
  return shared
}

/** A slip in a long word: “clorophyll”, but not “meiosis” for “mitosis”. */
const MIN_SPELLING_SIMILARITY = 0.85

/** In any order with little beside them, slips forgiven: full points. */
export function isVerbatim(answer: string, key: string): boolean {
  const terms = termsOf(answer)
  const keyTerms = termsOf(key)
  if (keyTerms.length === 0) return false
  const has = new Set(terms)
  const wants = new Set(keyTerms)
  const given = (term: string) =>
    has.has(term) || [...has].some((other) => spellingSimilarity(term, other) >= MIN_SPELLING_SIMILARITY)
  return [...wants].every(given) && has.size <= wants.size * 1.5 + 2 && isNegated(answer) === isNegated(key)
}
