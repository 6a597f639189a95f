import antonyms from './antonyms.json' with { type: 'json' }
import { baseFormOf, stemOf } from './terms.ts'

/** Of which pair of opposites, and which of the two. */
export type Side = { pair: number; sign: 1 | -1 }

/** Common English, no subject's terms; those of size first. A word goes with the first pair that has it. */
const sides = new Map<string, Side[]>()
for (const [pair, both] of antonyms.entries())
  for (const [i, words] of both.entries())
    for (const stem of new Set(words.split(' ').map(stemOf)))
      sides.set(stem, [...(sides.get(stem) ?? []), { pair, sign: i === 0 ? 1 : -1 }])

const PAIRS_OF_SIZE = antonyms.findIndex(([words]) => words?.includes('recent'))

export const sidesOf = (stem: string): readonly Side[] => sides.get(stem) ?? []

export const isComparative = (word: string): boolean =>
  ['more', 'most', 'less', 'least', 'fewer'].includes(word) || (/(?:er|est)$/.test(word) && baseFormOf(word) !== word)

/** Up (1) or down (−1); 0 for a word that says neither, as “big” does, but not “bigger”. */
export const directionOf = (word: string): 1 | -1 | 0 =>
  sidesOf(stemOf(word)).find(({ pair }) => pair === 0 || (pair < PAIRS_OF_SIZE && isComparative(word)))?.sign ?? 0

/** “endothermic” and “exothermic”, “upstream” and “downstream”; “un” and such against nothing. */
const PREFIXES = 'endo exo/hyper hypo/over under/up down/intra inter/micro macro/pre post/pro anti/in ex/im e'
  .split('/')
  .map((both) => both.split(' '))
  .concat(['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'anti'].map((prefix) => ['', prefix]))

/** By their beginnings: “unreliable” and “reliable”. */
export const differInPrefix = (one: string, other: string): boolean =>
  PREFIXES.some(([a = '', b = '']) => isTurned(one, other, a, b) || isTurned(other, one, a, b))

const isTurned = (one: string, other: string, a: string, b: string): boolean =>
  one.startsWith(a) &&
  other.startsWith(b) &&
  one.length - a.length >= 4 &&
  stemOf(one.slice(a.length)) === stemOf(other.slice(b.length))
