import { directionOf } from './directions.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

const COMPARISON =
  /^(.{0,80}?)\b(less|fewer|lower|more|\p{L}{3,}er)\b\s*(?:(\p{L}+)\s+)?than\s+(?:the\s+|an?\s+|that\s+of\s+|in\s+)*(.{1,60})$/iu
const LESS = new Set(['less', 'fewer'])

/** “Oil is less dense than water”: what is compared, in what, and which way. */
interface Comparison {
  left: Set<string>
  right: Set<string>
  quality: string
  sign: number
}

function comparisonIn(text: string): Comparison | null {
  for (const clause of text.split(/[.;!?\n]|\bbecause\b|,/i)) {
    const [, before = '', by = '', of = '', after = ''] = COMPARISON.exec(clause.trim()) ?? []
    if (after === '') continue
    const word = by.toLowerCase()
    const counted = word === 'more' || LESS.has(word)
    const stem = counted ? stemOf(of.toLowerCase()) : stemOf(word)
    // “denser” and “more dense” say the same of “dens”.
    const quality = (counted ? stem : stem.replace(/er$/, '')).replace(/e$/, '')
    const sign = LESS.has(word) ? -1 : 1
    return { left: termsOf(before), right: termsOf(after), quality, sign }
  }
  return null
}

const termsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !isStopWord(word) && directionOf(word) === 0)
      .map(stemOf),
  )

/**
 * Compares the same things the other way round: “A is less dense than B”, “B is denser than A” for “A is denser than B”. Null where the two
 * do not compare the same.
 */
export function isReversedComparison(key: string, answer: string): boolean | null {
  const ours = comparisonIn(answer)
  const keys = ours ? comparisonIn(key) : null
  if (!ours || !keys || ours.quality === '' || ours.quality !== keys.quality) return null
  const share = (a: Set<string>, b: Set<string>) => [...a].filter((term) => b.has(term)).length
  const straight = share(ours.left, keys.left) + share(ours.right, keys.right)
  const crossed = share(ours.left, keys.right) + share(ours.right, keys.left)
  if (straight === crossed) return null
  return ours.sign * keys.sign * (straight > crossed ? 1 : -1) < 0
}
