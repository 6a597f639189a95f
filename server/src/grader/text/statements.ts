import { normalizeDirections } from './directions.ts'
import { isLabel, markLabels, splitAtLabels } from './figure-labels.ts'
import { isSided, oppositeOf, type Token, tokensOf } from './statement-words.ts'
import { isComparative, isNegated, wordsOf } from './terms.ts'

interface Clause {
  tokens: Token[]
  negated: boolean
  /** A name or an adjective without a verb. */
  bare: boolean
}

/** What a text says, in clauses whose order and voice no longer matter. */
export interface Statement {
  clauses: Clause[]
  /** “Yes, …”, “I disagree …”, “True because …”: what is decided before it is explained. */
  stance: boolean | null
  /** “When …”, “the more …, the less …”: turned as a whole it says the same. */
  linked: boolean
}

export const wordsIn = ({ clauses }: Statement): Token[] => clauses.flatMap(({ tokens }) => tokens)

const MOST_LETTERS = 3000
const STANCE = /^\W*(?:i\s+(?:would\s+)?)?(yes|no|agree|disagree|true|false|correct|incorrect)\b/i
const AFFIRMATIVE = new Set(['yes', 'agree', 'true', 'correct'])
const LACKS = /\black(?:s|ed|ing)?(?:\s+of)?\b/gi
const IS_WHEN = /\b(is|means)\s+(?:when|where|that)\b/gi
const SENTENCES = /[;!?\n]|\.(?!\d)|\s\/\s/
const CLAUSES =
  /,(?!\d)|\b(?:but|while|whilst|whereas|unlike|though|although|and|however|or|when|whenever|if|as|because|since|so|therefore|hence|thus)\b/i
const LINKED = /\b(?:as|when|whenever|if)\b/i
/** “Before P, Q” is “Q before P”. */
const LEADING = /^\s*(before|after|compared\s+(?:with|to))\s+([^,]+),(.+)$/i

const BE = '(?:is|are|was|were|be|been|being|get|gets|got)'
const VERB = new RegExp(`\\b(?:${BE}|has|have|had|do|does|did|will|would|can|could|it|they)\\b`)
const FOLLOWS = '(?<!\\b(?:go|goes|going|went|run|runs|running|ran|look|looks|looked|named?) )after|follows?|followed'
const THAN = 'than(?! (?:\\d|one\\b|two\\b))|(?:compared|in comparison) (?:with|to)|relative to'
const AWAY = 'up|down|out|off|in|on|over|away'
/** What stands between two things, and whether it names the second first. */
const LINKS = [
  { name: '(before)', swaps: false, pattern: new RegExp(`\\b(?:${BE} followed by|precedes?|preceded|then|before)\\b`) },
  { name: '(before)', swaps: true, pattern: new RegExp(`\\b(?:${FOLLOWS})\\b`) },
  { name: '(than)', swaps: false, pattern: new RegExp(`\\b(?:${THAN})\\b`) },
  { name: '(by)', swaps: true, pattern: new RegExp(`\\b${BE} (?:\\w+ly )?\\w+ (?:(?:${AWAY}) )?by\\b(?! \\w+ing)`) },
]

const MOST_KEPT = 20_000
const kept = new Map<string, Statement>()

/** `labels`: see `labelsIn`. Kept, as each answer is compared with many. */
export function statementOf(text: string, labels: ReadonlySet<string> = new Set()): Statement {
  const name = [...labels, text].join(' ')
  const statement = kept.get(name) ?? readStatement(text, labels)
  if (kept.size > MOST_KEPT) kept.clear()
  kept.set(name, statement)
  return statement
}

function readStatement(text: string, labels: ReadonlySet<string>): Statement {
  const stance = STANCE.exec(text)?.[1]?.toLowerCase()
  const stated = normalizeDirections(markLabels(text.slice(0, MOST_LETTERS), labels))
    .replace(STANCE, '')
    .replace(LACKS, 'not have')
    .replace(IS_WHEN, '$1')
    // 10² is not 102.
    .replace(/[⁰¹²³⁴-⁹]+/gu, ' ^$&')
  const plain = splitProportion(stated)
  const clauses = plain.split(SENTENCES).flatMap((sentence) =>
    sentence
      .replace(LEADING, (_, link: string, second: string, first: string) => `${first} ${link} ${second}`)
      .split(CLAUSES)
      .flatMap(splitAtLabels)
      .flatMap(readClause),
  )
  return {
    clauses: joinNames(clauses.filter(({ tokens }) => tokens.length > 0)),
    stance: stance === undefined ? null : AFFIRMATIVE.has(stance),
    linked: plain !== stated || LINKED.test(plain),
  }
}

/** “The more …, the less …”, also without a comma. */
function splitProportion(text: string): string {
  const [, second] = [...text.matchAll(/(?<!\b(?:to|from|than|and|of|in|on|at|by|with)\s+)\bthe\s+(\p{L}+)/gu)].filter(
    ([, word = '']) => isComparative(word),
  )
  return second ? `${text.slice(0, second.index)}, ${text.slice(second.index)}` : text
}

function readClause(text: string): Clause[] {
  const joined = wordsOf(text).join(' ')
  // “Without it …” tells when, not what.
  const negated = isNegated(text.replace(/\bwithout\b/gi, ' '))
  const link = LINKS.find(({ pattern }) => pattern.test(joined))
  const [linking = '', at = 0] = link ? [link.pattern.exec(joined)?.[0], link.pattern.exec(joined)?.index] : []
  if (!link) return [{ tokens: tokensOf(wordsOf(joined)), negated, bare: !VERB.test(joined) }]
  const [before, after] = [joined.slice(0, at), joined.slice(at + linking.length)].map((part) =>
    tokensOf(wordsOf(part)),
  )
  const [first = [], second = []] = link.swaps ? [after, before] : [before, after]
  if (link.name === '(than)') return readComparison(first, second, negated)
  // A passive's verb stands within the link.
  const verb = link.name === '(by)' ? tokensOf(linking.split(' ').slice(1, -1)) : []
  const middle = verb.length > 0 ? verb : [{ word: link.name, term: link.name, marker: '' }]
  return [{ tokens: [...first, ...middle, ...second], negated, bare: false }]
}

/** “B is slower than A” is “B is slow, A is fast”, as is “A is faster than B”. */
function readComparison(left: Token[], right: Token[], negated: boolean): Clause[] {
  const quality = left.findLast(({ term }) => isSided(term))
  if (!quality) return [{ tokens: [...left, ...right], negated, bare: false }]
  const turned = { ...quality, term: oppositeOf(quality.term) }
  const own = negated ? turned : quality
  return [
    { tokens: left.map((token) => (token === quality ? own : token)), negated: false, bare: false },
    { tokens: [...right, negated ? quality : turned], negated: false, bare: false },
  ]
}

/** “The switch and bulb A are …”: a name alone goes with what follows, the last with what precedes. */
function joinNames(clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = []
  let waiting: Token[] = []
  for (const [at, { tokens, negated, bare }] of clauses.entries()) {
    const isLabelled = tokens.length === 2 && isLabel(tokens[1]?.term ?? '') && !clauses[at + 1]?.bare
    if (bare && !negated && (tokens.length === 1 || isLabelled))
      waiting.push(...tokens.map((token) => ({ ...token, listed: true })))
    else {
      joined.push({ tokens: [...waiting, ...tokens], negated, bare })
      waiting = []
    }
  }
  if (waiting.length === 0) return joined
  const last = joined.pop()
  return [...joined, { negated: false, bare: true, ...last, tokens: [...(last?.tokens ?? []), ...waiting] }]
}
