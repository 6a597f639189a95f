import { similarity } from './soft-match.ts'
import { isStopWord, stemOf, termsOf, wordsOf } from './terms.ts'

/**
 * A list of the key's words is not an answer: at least five terms, most of them the key's, and next to none of the
 * small words that make sentences, where the key itself is written in sentences.
 */
export function isKeywordList(answer: string, key: string): boolean {
  const words = wordsOf(answer)
  const terms = words.filter((word) => !isStopWord(word)).map(stemOf)
  const keyWords = wordsOf(key)
  const keyTerms = new Set(termsOf(key))
  if (terms.length < 5 || keyTerms.size < 4) return false
  const smallInKey = 1 - keyWords.filter((word) => !isStopWord(word)).length / keyWords.length
  if (smallInKey < 0.25) return false
  const small = 1 - terms.length / words.length
  const fromKey = terms.filter((term) => keyTerms.has(term))
  const covered = new Set(fromKey).size / keyTerms.size
  // Repeating one telling word over and over is the same trick.
  const repeated = terms.length >= 8 && new Set(terms).size <= terms.length / 3
  return (
    (small <= 0.12 && covered >= 0.5 && fromKey.length >= terms.length * 0.6) || (repeated && covered > 0.2)
  )
}

/** The key's own sentence word for word, long enough that it is no chance: somebody had the key. */
export function isCopiedKey(answer: string, key: string): boolean {
  const keyWords = wordsOf(key)
  const words = wordsOf(answer)
  if (keyWords.length < 14) return false
  const runs = new Set<string>()
  for (let i = 0; i + 5 <= words.length; i++) runs.add(words.slice(i, i + 5).join(' '))
  let copied = 0
  for (let i = 0; i + 5 <= keyWords.length; i++) if (runs.has(keyWords.slice(i, i + 5).join(' '))) copied++
  return copied >= (keyWords.length - 4) * 0.8
}

/** A slip of the pen in a long word, not another word: “clorophyll”, but not “meiosis” for “mitosis”. */
const SLIP = 0.85

/**
 * The key said in the same words, in any order and with little beside them: full points, whatever the class wrote. A
 * slip in spelling is forgiven.
 */
export function isVerbatim(answer: string, key: string): boolean {
  const terms = termsOf(answer)
  const keyTerms = termsOf(key)
  if (keyTerms.length === 0) return false
  const has = new Set(terms)
  const wants = new Set(keyTerms)
  const negations = (list: string[]) => list.filter((term) => /^(not?|never|none)$/.test(term)).length
  const given = (term: string) => has.has(term) || [...has].some((other) => similarity(term, other) >= SLIP)
  return (
    [...wants].every(given) && has.size <= wants.size * 1.5 + 2 && negations(terms) === negations(keyTerms)
  )
}
