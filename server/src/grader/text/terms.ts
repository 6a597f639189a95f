import type { Criterion } from '@assay/shared/rubrics.ts'
import { stemmer } from 'stemmer'
import antonyms from './antonyms.json' with { type: 'json' }
import groups from './synonyms.json' with { type: 'json' }
import forms from './word-forms.json' with { type: 'json' }

/** Without “not”, “all”, “same”, “up” and the like, which turn an answer round. */
const STOP_WORDS = new Set(
  `a about above after again am an and any are as at be because been before being below between but by can could did do does
  doing during few for from further had has have having he her here hers herself him himself his how i if in into is it
  its itself just me more most my myself now of off on once only or other our ours ourselves out over own s she should so some
  such t than that the their theirs them themselves then there these they this those through to too under until very was we
  were what when where which while who whom why will with would you your yours yourself yourselves`.split(/\s+/),
)

const CONTRACTIONS: [RegExp, string][] = [
  [/\bwon'?t\b/g, 'will not'],
  [/\bcan'?t\b|\bcannot\b/g, 'can not'],
  [/\bshan't\b/g, 'shall not'],
  [/n't\b/g, ' not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|should|could)nt\b/g, '$1 not'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'m\b/g, ' am'],
  [/'[sd]\b/g, ''],
]

const WORD = /\p{L}+|\d+(?:[.,]\d+)*|[+=<>*/^%≤≥≠≈×÷√∑∫→]/gu

/** Longer answers would slow the grader; a page has about 500 words. */
const MAX_WORDS = 1500

export function wordsOf(text: string): string[] {
  let plain = text
    .slice(0, MAX_WORDS * 12)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`´^](?=[a-z])/g, "'")
  for (const [pattern, opened] of CONTRACTIONS) plain = plain.replace(pattern, opened)
  const words = plain.match(WORD) ?? []
  // A "word" of hundreds of letters is noise, and comparing spellings costs its square.
  return words.slice(0, MAX_WORDS).map((word) => word.slice(0, 40))
}

const stems = new Map<string, string>()

/** Porter's, of the base form; cached, as a class uses the same few thousand words. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size > 50_000) stems.clear()
  const stem = stemmer(baseFormOf(word))
  stems.set(word, stem)
  return stem
}

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** A text of only stop words keeps them, or it could never match. */
export function termsOf(text: string): string[] {
  const words = wordsOf(text)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).map(stemOf)
}

const DONT_KNOW =
  /\b(i\s+)?(do\s*n[o']?t|dunno|not)\s+(really\s+)?(know|sure|understand|remember)\b|\b(dunno|idk|no\s+idea|no\s+clue|not\s+sure|n\/a|no\s+answer)\b|^\s*\?+\s*$/i

/** “I don't know”, “no idea”, “n/a” in under 12 words. */
export function isNonAnswer(text: string): boolean {
  const plain = text.slice(0, 400).replace(/[’‘`´^]/g, "'")
  const words = wordsOf(text)
  if (words.length === 0) return true
  return words.length < 12 && (DONT_KNOW.test(plain) || /\bdo not know\b/.test(words.join(' ')))
}

/** Comparatives are listed too, as a rule would take “water” for one of “wat”. */
const bases = new Map(
  Object.entries(forms).flatMap(([base, all]) => all.split(' ').map((form) => [form, base] as const)),
)

const baseFormOf = (word: string): string => bases.get(word) ?? word

/** log(1 + questions / questions with the term). A question is its prompt, key and the class's answers. */
export function inverseDocumentFrequencies(questions: string[][]): (term: string) => number {
  const seen = new Map<string, number>()
  for (const texts of questions) {
    for (const term of new Set(texts.flatMap(termsOf))) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + questions.length / Math.max(0.5, seen.get(term) ?? 0))
}

const NEGATION_WORDS = new Set('not no never none neither nor nothing nobody without hardly'.split(' '))
const NON_NEGATING_PHRASES =
  /\b(?:not\s+(?:only|just|merely|simply)|no\s+(?:doubt|matter\s+(?:what|how|which|where))|whether\s+or\s+not|if\s+not|why\s+not|neither\s+here\s+nor\s+there)\b/g
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

export type Side = { pair: number; sign: 1 | -1 }

/** Common English, no subject's terms; a word goes with the first pair that has it. */
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

const PREFIXES = 'endo exo/hyper hypo/over under/up down/intra inter/micro macro/pre post/pro anti/in ex/im e'
  .split('/')
  .map((both) => both.split(' '))
  .concat(['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'anti'].map((prefix) => ['', prefix]))

export const differInPrefix = (one: string, other: string): boolean =>
  PREFIXES.some(([a = '', b = '']) => isTurned(one, other, a, b) || isTurned(other, one, a, b))

const isTurned = (one: string, other: string, a: string, b: string): boolean =>
  one.startsWith(a) &&
  other.startsWith(b) &&
  one.length - a.length >= 4 &&
  stemOf(one.slice(a.length)) === stemOf(other.slice(b.length))

/** Common English, from no data set; subject terms (speed and velocity, force and power) are not merged. */
const neighbours = new Map<string, Set<string>>()
for (const group of groups) {
  const stems = group.split(' ').map(stemOf)
  for (const stem of stems) {
    const others = neighbours.get(stem) ?? new Set()
    for (const other of stems) if (other !== stem) others.add(other)
    neighbours.set(stem, others)
  }
}

const NONE: ReadonlySet<string> = new Set()

export const synonymsOf = (stem: string): ReadonlySet<string> => neighbours.get(stem) ?? NONE

/** “drag for air resistance” */
const IN_PLACE_OF = /^(.{2,40}?)\s+(?:for|instead\s+of|in\s+place\s+of)\s+(.{2,40})$/i
/** A line of guidance that was cut off: “force of gravity for”. */
const CUT_OFF = /\s(?:for|and|or|of|the|a|an|to|with|in)$/i

/** As whole answers, without meaningless pieces of guidance. */
export function acceptedAnswers({ expected, alternatives }: Pick<Criterion, 'expected' | 'alternatives'>): string[] {
  const others = alternatives.flatMap((text) => {
    const [, instead = '', of = ''] = IN_PLACE_OF.exec(text.trim()) ?? []
    if (of !== '') {
      const at = expected.toLowerCase().indexOf(of.toLowerCase())
      if (at >= 0) return [`${expected.slice(0, at)}${instead}${expected.slice(at + of.length)}`]
    }
    return CUT_OFF.test(text.trim()) && termsOf(expected).length > 2 ? [] : [text]
  })
  return [expected, ...others].map(withoutAllocation).filter((text) => text.trim() !== '')
}

/** “1 1 4 4 9 1 mark for 1, 1” */
function withoutAllocation(text: string): string {
  const plain = text.replace(/[\s;,.(]+\d+\s+marks?\s+(?:for|if|each)\b.*$/is, '')
  return plain.trim() === '' ? text : plain
}
