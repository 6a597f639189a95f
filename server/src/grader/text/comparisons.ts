import { directionOf } from './directions.ts'
import { isStopWord, stemOf, wordsOf } from './terms.ts'

const COMPARISON =
  /^(.{0,80}?)\b(less|fewer|lower|more|\p{L}{3,}er)\b\s*(?:(\p{L}+)\s+)?than\s+(?:the\s+|an?\s+|that\s+of\s+|in\s+)*(.{1,60})$/iu
const LESS = new Set(['less', 'fewer'])
/** What says the same of the other of two things: “slower” of the one that the other is “faster” than. By stems without “er”. */
const OPPOSITES: [string[], string[]][] = [
  [['fast', 'quick', 'rapid', 'speed'], ['slow']],
  [['larg', 'big', 'great'], ['small']],
  [
    ['high', 'tall'],
    ['low', 'short'],
  ],
  [
    ['hot', 'warm'],
    ['cold', 'cool'],
  ],
  [['strong'], ['weak']],
  [['thick'], ['thin']],
  [['heavi'], ['light']],
  [['long'], ['short']],
  [['bright'], ['dim', 'dark']],
  [['old'], ['young']],
  [['wide', 'broad'], ['narrow']],
  [['deep'], ['shallow']],
]

/** “Oil is less dense than water”: what is compared, in what (its stem), and which way. */
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
    const sign = LESS.has(word) ? -1 : 1
    return { left: termsOf(before), right: termsOf(after), quality: qualityOf(counted ? of.toLowerCase() : word), sign }
  }
  return null
}

/** “Denser”, “more dense” and “more densely” say the same. */
const qualityOf = (word: string): string =>
  stemOf(word.replace(/ly$/, ''))
    .replace(/i?er$/, (ending) => (ending === 'ier' ? 'i' : ''))
    .replace(/([bdgnt])\1$/, '$1')
    .replace(/e$/, '')

/** 1 for the same quality, −1 for opposite ones, else 0. */
function relationOf(one: string, other: string): number {
  if (one === '' || other === '') return 0
  const sides = (quality: string) => OPPOSITES.map(([a, b]) => (a.includes(quality) ? 1 : b.includes(quality) ? -1 : 0))
  const others = sides(other)
  return one === other
    ? 1
    : (sides(one)
        .map((side, i) => side * (others[i] ?? 0))
        .find((sign) => sign !== 0) ?? 0)
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
  const relation = ours && keys ? relationOf(ours.quality, keys.quality) : 0
  if (!ours || !keys || relation === 0) return null
  const order = orderOf(ours, keys)
  return order === 0 ? null : ours.sign * keys.sign * relation * order < 0
}

/** 1 where both name the same thing first, −1 where they exchange the things, 0 where that cannot be told. */
function orderOf(ours: Comparison, keys: Comparison): number {
  // What is on both sides of one comparison is not what it compares: “warm air” and “cold air”.
  const onBoth = (term: string) => [ours, keys].some(({ left, right }) => left.has(term) && right.has(term))
  const share = (a: Set<string>, b: Set<string>) => [...a].filter((term) => b.has(term) && !onBoth(term)).length
  const exchanged = [share(ours.left, keys.right), share(ours.right, keys.left)] as const
  // Both things are exchanged, whatever else is said of them (“warms up”).
  if (exchanged[0] > 0 && exchanged[1] > 0 && share(ours.right, keys.right) === 0) return -1
  return Math.sign(share(ours.left, keys.left) + share(ours.right, keys.right) - exchanged[0] - exchanged[1])
}

/** Compares the same things as one of the keys, the same way, in whatever words: “B is slower than A” for “A is faster than B”. */
export const comparesAlike = (accepted: readonly string[], answer: string): boolean =>
  accepted.some((key) => isReversedComparison(key, answer) === false)
