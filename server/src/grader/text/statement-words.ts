import { isComparative, isStopWord, type Side, sidesOf, stemOf } from './terms.ts'

/** A word of a statement. */
export interface Token {
  word: string
  /** A stem, or “+” or “-” and the pair of opposites that it is of. */
  term: string
  /** The preposition before it. */
  marker: string
  /** One of several things of which the same is said. */
  listed?: boolean
}

const MARKERS = new Set('from to by with in on at through for not'.split(' '))
const DEGREES: Readonly<Record<string, number>> = { more: 1, most: 1, less: -1, least: -1 }
/** These carry nothing that could be exchanged. */
const EMPTY = new Set(
  `have has had make makes made do does did can will get gets got go goes going gone become becomes became one ones no not never each
  up down`.split(/\s+/),
)
const QUALITY = /(?:ly|ed|en|ous|ive|al|ic|ful|able|ible|ent|ant|nse)$/

const termOf = ({ pair, sign }: Side): string => `${sign > 0 ? '+' : '-'}${pair}`
const isQuality = (word: string): boolean => sidesOf(stemOf(word)).length > 0 || QUALITY.test(word)
const GIVING = new Set(['give', 'take'].flatMap((word) => sidesOf(stemOf(word)).slice(0, 1)).map(termOf))

export const isSided = (term: string): boolean => /^[+-]\d/.test(term)
export const oppositeOf = (term: string): string => (term.startsWith('+') ? `-${term.slice(1)}` : `+${term.slice(1)}`)

/** “Less dense” is the opposite of “dense”; of what has none, “less” and “more” are. */
export function tokensOf(words: readonly string[]): Token[] {
  const tokens: Token[] = []
  let marker = ''
  let degree = 0
  for (const [at, word] of words.entries()) {
    // “Go in”, “move into” say where to, as “out” does.
    const isInwards = word === 'into' || (word === 'in' && at === words.length - 1)
    const stem = stemOf(word)
    const [side] = sidesOf(stem)
    if (MARKERS.has(word) && !isInwards) marker = word
    else if (DEGREES[word] !== undefined && isQuality(words[at + 1] ?? '')) degree = DEGREES[word]
    // “Give out” and “take in” have said it.
    else if ((isInwards || word === 'out') && tokens.some(({ term }) => GIVING.has(term))) continue
    else if (!EMPTY.has(word) && (!isStopWord(word) || side)) {
      const term = side ? termOf(side) : stem
      tokens.push({ word, term: side && degree < 0 ? oppositeOf(term) : term, marker })
      if (!side && (degree !== 0 || isComparative(word)))
        tokens.push({ word: 'more', term: degree < 0 ? '-0' : '+0', marker: '' })
      degree = 0
      marker = word === 'into' ? 'to' : ''
    }
  }
  return tokens
}
