import { directionOf } from './directions.ts'
import { baseFormOf, isStopWord, stemOf, wordsOf } from './terms.ts'

/** Where another statement begins: “… than the sea, so the air rises”. */
const CLAUSES =
  /[.;:!?\n,]|\b(?:because|since|so|then|thus|therefore|hence|which|while|whereas|but|when|where|although|though|if)\b/i
const COMPARED = /\b(?:(?:when|as|if)\s+)?(?:compared|in\s+comparison|relative)\s+(?:with|to)\b/gi
/** “Compared to the sea, the land warms faster”. */
const COMPARED_FIRST = /(^|[.;!?\n])\s*(?:when\s+)?compared\s+(?:with|to)\s+([^,.;!?\n]{1,60}),([^,.;!?\n]+)/gi
const NOT_AS = /^(.{0,80}?)(?:\bnot|n['’]t)\s+(?:nearly\s+|quite\s+)?as\s+(\p{L}+)\s+as\s+(.{1,60})$/iu
const NOT = /\b(?:not|never|no)\b|n['’]t\b/i
const LESS = new Set(['less', 'fewer', 'lower', 'smaller', 'worse'])
/** Followed by what is compared: “less mass”, “a higher density”. */
const COUNTED = new Set(['more', 'less', 'fewer', 'lower', 'higher', 'greater', 'larger', 'bigger', 'smaller'])
const PREPOSITIONS = new Set('of in on at to from for by with into through over under'.split(' '))
/** How far before “than” the word stands that compares: “more energy in all than”. */
const FARTHEST = 5
/** “More weight” says “heavier”. */
const QUALITIES_OF_NOUNS = new Map([
  ['weight', 'heavi'],
  ['speed', 'fast'],
  ['temperature', 'hot'],
  ['heat', 'hot'],
  ['height', 'tall'],
  ['length', 'long'],
  ['width', 'wide'],
  ['depth', 'deep'],
  ['strength', 'strong'],
  ['size', 'big'],
  ['age', 'old'],
])
/** By stems without “er”: “slower” of one thing is “faster” of the other. */
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
  [['good'], ['bad']],
  [['late'], ['earli']],
  [['dens'], ['light']],
  [['cheap'], ['expens', 'dear']],
  [['hard'], ['soft', 'easi']],
  [['near', 'close'], ['far']],
  [['more'], ['less', 'few']],
]

const MOST_LETTERS = 3000

/** `quality` is its stem: “Oil is less dense than water”. */
interface Comparison {
  left: Set<string>
  right: Set<string>
  quality: string
  sign: number
}

/** By clause, and “and” as a clause's end or within one (“warm and wet air”). */
function comparisonsIn(text: string): Comparison[] {
  const plain = text.slice(0, MOST_LETTERS).replace(COMPARED_FIRST, '$1$3 than $2').replace(COMPARED, ' than ')
  const clauses = plain.split(CLAUSES).flatMap((clause) => {
    const parts = clause.split(/\band\b/i)
    return parts.length > 1 ? [...parts, clause] : [clause]
  })
  return clauses.flatMap((clause) => comparisonIn(clause.trim()) ?? [])
}

function comparisonIn(clause: string): Comparison | null {
  const [, before = '', as = '', than = ''] = NOT_AS.exec(clause) ?? []
  if (than !== '')
    return { left: termsOf(before), right: termsOf(than), quality: qualityOf(as.toLowerCase()), sign: -1 }
  const words: string[] = clause.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? []
  const thanAt = words.indexOf('than')
  const end = thanAt < 0 ? words.length : thanAt
  const at = comparativeBefore(words, end, thanAt >= 0)
  if (at === null) return null
  const word = words[at] ?? ''
  const between = words.slice(at + 1, end)
  const left = words.slice(0, at)
  const sign = NOT.test(left.slice(-3).join(' ')) ? -1 : 1
  const right = termsOf(words.slice(end + 1, end + 10).join(' '))
  const until = between.findIndex((one) => PREPOSITIONS.has(one))
  // “Quicker in the sun than in the shade”.
  const where = until < 0 || thanAt < 0 ? [] : between.slice(until)
  if (!COUNTED.has(word)) return { left: termsOf([...left, ...where].join(' ')), right, quality: qualityOf(word), sign }
  const noun = (until < 0 ? between : between.slice(0, until)).findLast((one) => !isStopWord(one))
  // “Higher than”, “costs less than”: what is compared stands before.
  const plain = word === 'more' || word === 'less' || word === 'fewer'
  const verb = noun === undefined && plain ? left.findLast((one) => !isStopWord(one)) : undefined
  const what = noun ?? verb
  const things = termsOf([...left, ...where].join(' '))
  if (what === undefined) return { left: things, right, quality: qualityOf(word), sign }
  if (verb !== undefined) things.delete(stemOf(verb))
  return { left: things, right, quality: qualityOf(what), sign: LESS.has(word) ? -sign : sign }
}

/** The comparative's index; without “than” only one whose base form is known (“water” is none). */
function comparativeBefore(words: readonly string[], end: number, hasThan: boolean): number | null {
  const isComparative = (word: string) => COUNTED.has(word) || (baseFormOf(word) !== word && /(?:er|worse)$/.test(word))
  for (let at = end - 1; at >= Math.max(0, hasThan ? end - FARTHEST : 0); at--)
    if (isComparative(words[at] ?? '')) return at
  return hasThan && /\p{L}{3}er$/u.test(words[end - 1] ?? '') ? end - 1 : null
}

/** “Denser”, “more dense”, “more densely” and “a higher density” say the same. */
const qualityOf = (word: string): string =>
  QUALITIES_OF_NOUNS.get(word) ??
  stemOf(word.replace(/(?:ly|ity)$/, ''))
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

/** “A is less dense than B” for “A is denser than B”. Null where they do not compare the same, or both are said. */
export function isReversedComparison(key: string, answer: string): boolean | null {
  const ours = comparisonsIn(answer)
  const keys = ours.length > 0 ? comparisonsIn(key) : []
  const ways = ours.flatMap((our) =>
    keys.flatMap((one) => {
      const relation = relationOf(our.quality, one.quality)
      const order = relation === 0 ? 0 : orderOf(our, one)
      return order === 0 ? [] : our.sign * one.sign * relation * order
    }),
  )
  if (ways.length === 0) return null
  return ways.every((way) => way < 0) ? true : ways.every((way) => way > 0) ? false : null
}

/** 1 for the same order of things, −1 for exchanged, 0 where that cannot be told. */
function orderOf(ours: Comparison, keys: Comparison): number {
  // What is on both sides of one comparison is not what it compares: “warm air” and “cold air”.
  const onBoth = (term: string) => [ours, keys].some(({ left, right }) => left.has(term) && right.has(term))
  const share = (a: Set<string>, b: Set<string>) => [...a].filter((term) => b.has(term) && !onBoth(term)).length
  const exchanged = [share(ours.left, keys.right), share(ours.right, keys.left)] as const
  // Both things are exchanged, whatever else is said of them (“warms up”).
  if (exchanged[0] > 0 && exchanged[1] > 0 && share(ours.right, keys.right) === 0) return -1
  // “Warm water is denser” for “cold water is denser”, each without what it is compared with.
  const alone = ours.right.size === 0 && keys.right.size === 0
  if (alone) return [...ours.left].some((a) => [...keys.left].some((b) => relationOf(a, b) < 0)) ? -1 : 0
  return Math.sign(share(ours.left, keys.left) + share(ours.right, keys.right) - exchanged[0] - exchanged[1])
}

/** “B is slower than A” for “A is faster than B”. */
export const comparesAlike = (accepted: readonly string[], answer: string): boolean =>
  accepted.some((key) => isReversedComparison(key, answer) === false)
