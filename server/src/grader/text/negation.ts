import { wordsOf } from './terms.ts'

const NEGATION_WORDS = new Set([
  'not',
  'no',
  'never',
  'none',
  'neither',
  'nor',
  'nothing',
  'nobody',
  'without',
  'hardly',
])
const NON_NEGATING_PHRASES =
  /\b(?:not\s+(?:only|just|merely|simply)|no\s+(?:doubt|matter\s+(?:what|how|which|where))|whether\s+or\s+not|if\s+not|why\s+not|neither\s+here\s+nor\s+there)\b/g
/** These negate what is before or after them by themselves. */
const OPPOSITES =
  /\bnot\s+(?:\w+ly\s+)?(?:false|wrong|untrue|incorrect|impossible|unlike(?:ly)?|unable|without)\b|\b(?:false|untrue|impossible)\s+that\b/g
const CLAUSES = /[.;:!?\n]|,|\b(?:but|because|since|so|and|while|whereas|if|when|although|though)\b/

/** “Not impossible” and “not only” do not; “no longer” and “without” do. */
export function isNegated(text: string): boolean {
  return text
    .slice(0, 6000)
    .toLowerCase()
    .split(CLAUSES)
    .some((clause) => negationsIn(clause) % 2 === 1)
}

function negationsIn(clause: string): number {
  const words = wordsOf(clause).join(' ').replace(NON_NEGATING_PHRASES, ' ')
  // “not false” is two that undo each other; “it is false that” is one.
  const opposites = [...words.matchAll(OPPOSITES)].length
  const neither = /\bneither\b.*\bnor\b/.test(words) ? 1 : 0
  return words.split(' ').filter((word) => NEGATION_WORDS.has(word)).length + opposites - neither
}
