import { isComparative, isNegated, isStopWord, type Side, sidesOf, stemOf, wordsOf } from './terms.ts'

interface Token {
  word: string
  /** A stem, or “+” or “-” and its pair of opposites. */
  term: string
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
function tokensOf(words: readonly string[]): Token[] {
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

const LABEL = 'label'
const MARKED = `${LABEL}\\p{L}{2,4}`

/** Labels of a figure that a key or a prompt speaks of: “A and B”, “1 crust, 2 mantle”. */
export function labelsIn(texts: readonly string[]): Set<string> {
  const all = texts.join(' \n ')
  const letter = /(?<![\p{L}\p{N}'’.=+*/^-])([A-Z]\d?|[b-hj-z]|a(?=\s*(?:and\b|is\b|[,:=)])))(?![\p{L}\p{N}'’(^*/+-])/gu
  const labels = new Set([...all.matchAll(letter)].map(([, one = '']) => one.toLowerCase()))
  labels.delete('i')
  if (labels.size < 2) labels.clear()
  const figures = [...all.matchAll(/(?<![\p{N}.,])([1-9])(?=[\s:.)-]+\p{L})/gu)].map(([, one = '']) => one)
  if (figures.includes('1') && figures.includes('2')) for (const one of figures) labels.add(one)
  return labels
}

/** Adds an ending that no stem loses: else “A” were an article. */
function markLabels(text: string, labels: ReadonlySet<string>): string {
  if (labels.size === 0) return text
  const hasSmall = /(?<![\p{L}\p{N}])[b-hj-z](?![\p{L}\p{N}'’])/u.test(text)
  return text.replace(/(?<![\p{L}\p{N}'’.,])(?:\p{L}\d?|\d)(?![\p{L}\p{N}'’]|[.,]\d)/gu, (label) => {
    const lower = label.toLowerCase()
    if (!labels.has(lower) || (label === 'a' && !hasSmall)) return label
    return ` ${LABEL}${lower.replace(/\d/, (digit) => 'zyxwvutsrq'.charAt(Number(digit)).repeat(2))}q `
  })
}

export const isLabel = (term: string): boolean => term.startsWith(LABEL)

/** “A nucleus B vacuole”: each goes with what follows or, where words lead, with what precedes. */
function splitAtLabels(clause: string): string[] {
  const parts = clause.trim().split(new RegExp(`(?=\\b${MARKED}\\b)`, 'u'))
  if (parts.filter(isLabel).length < 2) return [clause]
  return isLabel(parts[0] ?? '') ? parts : clause.split(new RegExp(`(?<=\\b${MARKED}\\b)`, 'u'))
}

interface Clause {
  tokens: Token[]
  negated: boolean
  /** A name or an adjective without a verb. */
  bare: boolean
}

/** Clauses whose order and voice no longer matter. */
export interface Statement {
  clauses: Clause[]
  /** “Yes, …”, “I disagree …”: what is decided before it is explained. */
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
/** `swaps`: the second thing is named first. */
const LINKS = [
  { name: '(before)', swaps: false, pattern: new RegExp(`\\b(?:${BE} followed by|precedes?|preceded|then|before)\\b`) },
  { name: '(before)', swaps: true, pattern: new RegExp(`\\b(?:${FOLLOWS})\\b`) },
  { name: '(than)', swaps: false, pattern: new RegExp(`\\b(?:${THAN})\\b`) },
  { name: '(by)', swaps: true, pattern: new RegExp(`\\b${BE} (?:\\w+ly )?\\w+ (?:(?:${AWAY}) )?by\\b(?! \\w+ing)`) },
]

const MOST_KEPT = 20_000
const kept = new Map<string, Statement>()

/** `labels`: see `labelsIn`. Cached, as each answer is compared with many. */
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

const GOES = /\b(?:go|goes|going|went|gone|moves?|moved|moving|comes?)[\s.]+(up|down)\b/g
const STAYS =
  /\b(?:stay|stays|stayed|remain|remains|remained|keep|keeps|kept|be|is)\s+(?:the\s+same|unchanged|constant)\b|\b(?:does|do|did|will|would)(?:\s+not|n['’]?t)\s+change\b|\bno\s+change\b|\bunchanged\b/g

/** “goes up”, “stays the same” in one word. */
export const normalizeDirections = (text: string): string =>
  text
    .toLowerCase()
    .replace(GOES, (_, way: string) => (way === 'up' ? 'rises' : 'falls'))
    .replace(STAYS, 'unchanged')
