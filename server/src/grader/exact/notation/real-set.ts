import { unclear, verdict } from '../judgement.ts'
import { digitsForWords, plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { type Found, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

interface Interval {
  from: number
  to: number
  fromOpen: boolean
  toOpen: boolean
}

/** In order and not touching; empty for the empty set. */
type Parts = Interval[]

interface RealSet {
  parts: Parts
  of: string
}

const BOUND = String.raw`[-+]?\s?(?:∞|inf(?:inity|ty)?\b|oo\b|[\d.,]*\d(?:\s?\/\s?\d+)?|[\d.]*sqrt\s?\(?\d+\)?|[\d.]*π)`
const SIGN = '[<>≤≥]'
const NAME = String.raw`(?:\|?([a-z])\|?|\b[fgh]\s*\(\s*[a-z]\s*\))`
const BRACKETS = new RegExp(String.raw`([[(\]])\s*(${BOUND})\s*[,;]\s*(${BOUND})\s*([\])[])`, 'gi')
const CHAIN = new RegExp(String.raw`(${BOUND})\s*(${SIGN})\s*${NAME}\s*(${SIGN})\s*(${BOUND})`, 'gi')
const ABOVE = new RegExp(String.raw`(?<![\w*^/)]|\d )${NAME}\s*(${SIGN})\s*(${BOUND})(?![\w^])`, 'gi')
const BELOW = new RegExp(String.raw`(?<![\w*^/)]|\d )(${BOUND})\s*(${SIGN})\s*${NAME}(?![\w^])`, 'gi')
const WORDED = new RegExp(String.raw`(?<![\w)#])(?:\b(?:all|any|every)\s+)?(${SIGN})\s*(${BOUND})(?![\w^])`, 'gi')
const EXCEPT = new RegExp(String.raw`(?<![\w*^/)]|\d )[a-z]?\s*≠\s*(${BOUND})(?![\w^])`, 'gi')
const ENDED = String.raw`(?:\s*,?\s*\(?((?:both\s+(?:ends\s+)?)?(?:not\s+)?(?:in|ex)clu\w+)\)?)?`
const SPOKEN = new RegExp(
  String.raw`\b(?:from|between)\s+(${BOUND})${ENDED}\s*(?:up\s+)?(?:to|and|until)\s+(${BOUND})${ENDED}`,
  'gi',
)
const POINTS = new RegExp(
  String.raw`\{\s*(${BOUND}(?:\s*[,;]\s*${BOUND})*)\s*\}|(?<=[∖]\s*(?:[a-z]\s*=\s*)?)(${BOUND}(?:\s*(?:,|;|\band\b)\s*${BOUND})*)`,
  'gi',
)
const ASKS =
  /\b(?:intervals?|domain|range|inequalit\w+|solve|solutions?|values\s+of|defined|increasing|decreasing|converges?|set)\b/i

const COMPARISONS: [RegExp, string][] = [
  [
    /!=|=\/=|\b(?:(?:is|can|could|must|does|are)\s*(?:not|n['’]t)|cannot)(?:\s+be)?(?:\s+equal(?:\s+to)?)?(?=\s*[-+]?\d)/gi,
    ' ≠ ',
  ],
  [
    /\bfrom\s+([-+]?\d[\d./]*)(?:\s+\(?included\)?)?\s+(?:up(?:wards?)?|on(?:wards?)?)\b(?!\s+to)(?:,?\s*\(?(?:with\s+)?\1\s+(?:itself\s+)?included\)?)?/gi,
    '≥ $1',
  ],
  [/([-+]?\d[\d./]*)\s+(?:and|or)\s+(?:above|more|greater|higher|over|up|upwards)\b(?!\s+than)/gi, '≥ $1'],
  [/([-+]?\d[\d./]*)\s+(?:and|or)\s+(?:below|less|smaller|lower|under|fewer)\b(?!\s+than)/gi, '≤ $1'],
  [
    /\b(?:is\s+|are\s+)?(?:greater|more|bigger|larger)\s+than\s+or\s+equal(?:s)?(?:\s+to)?\b|\b(?:is\s+)?at\s+least\b/gi,
    '≥',
  ],
  [/\b(?:is\s+|are\s+)?(?:less|smaller|fewer)\s+than\s+or\s+equal(?:s)?(?:\s+to)?\b|\b(?:is\s+)?at\s+most\b/gi, '≤'],
  [/\b(?:is\s+|are\s+)?(?:greater|more|bigger|larger)\s+than\b|\babove\b/gi, '>'],
  [/\b(?:is\s+|are\s+)?(?:less|smaller|fewer)\s+than\b|\bbelow\b/gi, '<'],
  [/\bup\s+to\s+and\s+including\b/gi, '≤'],
  [/\b(?:for|when|where|if)\b/gi, ' '],
  [/\bbut\b/gi, ' and '],
  [/≠\s*±\s*(\d[\d./]*)/g, '≠ $1 ∩ x ≠ -$1'],
  [/±\s*(\d[\d./]*)/g, '$1, -$1'],
  [/(?<=[a-z]\s?)=>(?=\s?[-+−\d])/gi, '≥'],
]

const WORDS: [RegExp, string][] = [
  [/\b(?:is\s+)?(?:no|not)\s+(?:greater|more|bigger|larger)\s+than\b/gi, '≤'],
  [/\b(?:is\s+)?(?:no|not)\s+(?:less|smaller|fewer)\s+than\b/gi, '≥'],
  [/\\(?:cup)(?![a-z])|\bunion\b|(?<=[)\]\s])U(?=[\s([])/g, '∪'],
  [/\\cap(?![a-z])|\bintersect\w*/g, '∩'],
  [/\\(?:emptyset|varnothing)(?![a-z])|[øØ⌀]|\{\s*\}|\b(?:the\s+)?empty\s+set\b/gi, '∅'],
  [
    /\b(?:(?:there\s+(?:is|are)|it\s+has|has|have)\s+)?no\s+(?:such\s+|real\s+|possible\s+)*(?:solutions?|roots?|values?|numbers?|answers?|x)\b(?:\s+(?:exists?|works?))?/gi,
    '∅',
  ],
  [/\b(?:the\s+)?(?:solutions?(?:\s+set)?|set(?:\s+of\s+solutions)?)\s+(?:is|are)\s+empty\b/gi, '∅'],
  [/\\in(?![a-z])/g, '∈'],
  [/\\(?:ne|neq)(?![a-z])/g, '≠'],
  [/\\leq?(?![a-z])/g, '≤'],
  [/\\geq?(?![a-z])/g, '≥'],
  [/\\infty(?![a-z])/g, '∞'],
  [/(?:\\mathbb\s*\{?R\}?|ℝ|\bR)\s*(?:⁺|\^?\{?\+\}?)/g, ' > 0 '],
  [/\\mathbb\s*\{?R\}?|ℝ/g, ' ℝ '],
  [/\b(?:(?:all|any|every|each)\s+)?(?:positive\s+)(?:real\s*)?(?:numbers?|values?|reals?|x)\b/gi, ' > 0 '],
  [
    /\b(?:(?:all|any|every|each)\s+)?(?:the\s+)?real(?:s|\s+(?:numbers?|values?))\b|\b(?:all|any|every|each)\s+(?:numbers?|values?(?:\s+of\s+[a-z])?|x)\b(?!\s*[<>≤≥])/gi,
    ' ℝ ',
  ],
  [/(?<=\bR\s*|ℝ\s*)\\(?=\s*\{)/g, ' ∖ '],
  [/\\([{}])/g, '$1'],
  [
    /\\setminus(?![a-z])|(?<=\bR\s*|ℝ\s*)[-−–/](?=\s*\{)|\b(?:but(?=\s+(?:not\b|[-−+\d]|zero|one|two|three|[a-z]\s*=))|excluding|without|apart\s+from|other\s+than|except(?:\s+for)?)\b(?:\s+not)?(?:\s+when)?(?:\s+[a-z]\s*=)?/gi,
    ' ∖ ',
  ],
  ...COMPARISONS,
]

const signsForWords = (text: string): string => {
  const worded = WORDS.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), text.slice(0, 1000))
  return COMPARISONS.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), digitsForWords(plainMath(worded)))
}

function bound(text: string): number | null {
  const plain = text.replace(/\s/g, '')
  if (/∞|inf|oo/i.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity
  const read = readNumberAt(plain, 0)
  return read && read.end === plain.length ? read.value : null
}

const ALL: Parts = [{ from: -Infinity, to: Infinity, fromOpen: true, toOpen: true }]

function span(from: number | null, to: number | null, fromOpen: boolean, toOpen: boolean): Parts | null {
  if (from === null || to === null) return null
  return normal([{ from, to, fromOpen: fromOpen || from === -Infinity, toOpen: toOpen || to === Infinity }])
}

function normal(parts: Interval[]): Parts {
  const sorted = parts
    .filter(({ from, to, fromOpen, toOpen }) => from < to || (from === to && !fromOpen && !toOpen))
    .sort((a, b) => a.from - b.from || Number(a.fromOpen) - Number(b.fromOpen))
  const joined: Interval[] = []
  for (const part of sorted) {
    const last = joined.at(-1)
    const touches = last && (part.from < last.to || (part.from === last.to && !(part.fromOpen && last.toOpen)))
    if (!last || !touches) joined.push({ ...part })
    else if (part.to > last.to || (part.to === last.to && !part.toOpen))
      Object.assign(last, { to: part.to, toOpen: part.toOpen })
  }
  return joined
}

const complement = (set: Parts): Parts => {
  const ends = [{ to: -Infinity, toOpen: false }, ...set]
  return normal(
    ends.map(({ to, toOpen }, i) => {
      const next = set[i]
      return { from: to, fromOpen: !toOpen, to: next?.from ?? Infinity, toOpen: next ? !next.fromOpen : true }
    }),
  ).map((part) => ({ ...part, fromOpen: part.fromOpen || part.from === -Infinity }))
}
const union = (a: Parts, b: Parts): Parts => normal([...a, ...b])
const intersection = (a: Parts, b: Parts): Parts => complement(union(complement(a), complement(b)))

const ray = (sign: string, at: number | null): Parts | null =>
  /[>≥]/.test(sign) ? span(at, Infinity, sign === '>', true) : span(-Infinity, at, true, sign === '<')
const FLIPPED: Record<string, string> = { '<': '>', '>': '<', '≤': '≥', '≥': '≤' }

function chained(left: string, first: string, second: string, right: string): Parts | null {
  const up = /[<≤]/.test(first)
  if (up !== /[<≤]/.test(second)) return null
  const [from, to] = up ? [bound(left), bound(right)] : [bound(right), bound(left)]
  const [low, high] = up ? [first, second] : [second, first]
  return span(from, to, /[<>]/.test(low), /[<>]/.test(high))
}

const pointsOf = (text: string): Parts | null => {
  const values = text.split(/[,;]|\band\b/i).map(bound)
  return values.every((value) => value !== null)
    ? normal(values.map((value) => ({ from: value, to: value, fromOpen: false, toOpen: false })))
    : null
}

const JOINS: [RegExp, (a: Parts, b: Parts) => Parts][] = [
  [/#(\d+)#\s*∖\s*#(\d+)#/, (a, b) => intersection(a, complement(b))],
  [/#(\d+)#\s*∩\s*#(\d+)#/, intersection],
  // “x > 2 and x < 5”, “x ∈ ℝ, x ≠ 3” intersect; “x < 2, x > 5” is a union.
  [
    /#(\d+)#\s*(?:,|;|&|\band\b)?\s*#(\d+)#/i,
    (a, b) => {
      const common = intersection(a, b)
      return common.length > 0 ? common : union(a, b)
    },
  ],
  [/#(\d+)#\s*(?:,\s*)?(?:∪|\bor\b)\s*#(\d+)#/i, union],
]

function find(answer: string, key?: RealSet): Found<RealSet> {
  const found: Parts[] = []
  const put = (set: Parts | null, all: string) => (set ? ` #${found.push(set) - 1}# ` : all)
  let skeleton = signsForWords(answer.replace(/#/g, ' ').replace(/\$/g, ''))
  if (key?.parts.length === 0)
    skeleton = skeleton
      .replace(
        /\b(?:(?:it\s+)?(?:can['’]?t|cannot|can\s+not)\s+be\s+solved|inconsistent|unsolvable|(?:there\s+)?(?:isn['’]t|is\s+not|are(?:n['’]?t|\s+not))\s+any(?:\s+\w+)?)\b/gi,
        '∅',
      )
      .replace(
        /(?:^|,\s|;|\.\s|\bso\b)\W*(?:for\s+|there\s+(?:is|are)\s+)?(?:none|impossible|nothing|empty|no\s+x|nowhere|(?:it\s+is\s+)?never(?:\s+\w+)?)(?:\s+(?:exists?|at\s+all))?\W*(?:$|\b(?:because|since|as)\b.*$)/i,
        '∅',
      )
  skeleton = skeleton
    .replace(/\{\s*[a-z]\s*(?:∈\s*ℝ\s*)?[:|](?=[^}]*[<>≤≥≠])/gi, ' ')
    .replace(CHAIN, (all, left, first, _, second, right) => put(chained(left, first, second, right), all))
    .replace(BRACKETS, (all, open, from, to, close) =>
      put(span(bound(from), bound(to), open !== '[', close !== ']'), all),
    )
    .replace(SPOKEN, (all, from, first = '', to, last = '') => {
      const open = (end: string) => /excl|not/i.test(end || last || first)
      return first || last ? put(span(bound(from), bound(to), open(first), open(last)), all) : all
    })
    .replace(ABOVE, (all, _, sign, at) => put(ray(sign, bound(at)), all))
    .replace(BELOW, (all, at, sign) => put(ray(FLIPPED[sign] ?? sign, bound(at)), all))
    .replace(EXCEPT, (all, at) => put(complement(pointsOf(at) ?? ALL), all))
    .replace(POINTS, (all, listed, bare) => put(pointsOf(listed ?? bare), all))
    .replace(WORDED, (all, sign, at) => put(ray(sign, bound(at)), all))
    .replace(/ℝ|(?<=∈\s*)R\b|\bR(?=\s*∖)|^\s*R\s*$/g, (all) => put(ALL, all))
    .replace(/∅/g, (all) => put([], all))
    .replace(/[a-z]\s*(?:∈|\bin\b)\s*(?=#)|∈|\||[{}]|\b(?:x|y|n)\s+(?=#)/gi, ' ')
  const clauses = skeleton.split(/(\n|\bso\b|\btherefore\b|\bhence\b|⇒|→)/i).map((clause) => joined(clause, found))
  const of = /\b[fgh]\s*\(|\by\s*[<>≤≥≠∈]|[<>≤≥]\s*y\b/.test(answer)
    ? 'y'
    : (/\b([a-z])\s*[<>≤≥≠]|[<>≤≥]\s*([a-z])\b/.exec(answer)?.[0] ?? '')
  return { skeleton: clauses.join(''), found: found.map((parts) => ({ parts, of })) }
}

function joined(clause: string, found: Parts[]): string {
  let rest = clause
  for (const [pattern, join] of JOINS)
    for (let pair = pattern.exec(rest); pair; pair = pattern.exec(rest)) {
      const [a = [], b = []] = [found[Number(pair[1])], found[Number(pair[2])]]
      rest = rest.replace(pair[0], ` #${found.push(join(a, b)) - 1}# `)
    }
  return rest
}

const near = (a: number, b: number): boolean =>
  a === b || (Number.isFinite(a) && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)))
const same = (a: Parts, b: Parts): boolean =>
  a.length === b.length &&
  a.every((part, i) => {
    const other = b[i]
    return (
      other !== undefined &&
      near(part.from, other.from) &&
      near(part.to, other.to) &&
      part.fromOpen === other.fromOpen &&
      part.toOpen === other.toOpen
    )
  })

export const REAL_SET: Notation<RealSet> = {
  read(key, prompt) {
    if (key.length > 80 || (/^\s*R\s*$/.test(key) && !ASKS.test(prompt))) return null
    const { skeleton, found } = find(key)
    const set = found.at(-1)
    if (!set || !new RegExp(`^\\s*#${found.length - 1}#\\s*\\.?\\s*$`).test(skeleton)) return null
    const plain = plainMath(key).replace(/\s/g, '')
    // Two numbers in round brackets may be a point, in braces a list.
    if (/^\{/.test(plain) && set.parts.length > 0) return null
    const certain =
      !/^[[(\]][^<>≤≥]*[\])[]$/.test(plain) || /∞|inf|∪/i.test(plain) || /^\[.*\)$|^\(.*\]$|^\]|\[$/.test(plain)
    // An interval in the question makes the key one, too.
    const among = /\[[^[\]()]*\)|\([^[\]()]*\]/.test(prompt)
    return certain || ((among || ASKS.test(prompt)) && set.parts.length > 0) ? set : null
  },
  find: (answer, key) => find(answer, key),
  compare(key, given) {
    const others = key.of === 'y' && given.of !== '' && given.of !== 'y'
    return same(key.parts, given.parts) && !others ? RIGHT : WRONG
  },
  otherwise(_, skeleton, found) {
    // “2x > 6” is not solved.
    const unsolved = /[<>≤≥]/.test(skeleton)
    const number = found.length === 0 && /^\W*(?:[a-z]\s*=\s*)?[-+]?[\d./]+\W*$/i.test(skeleton)
    return number && !unsolved ? verdict(false, 0.93) : unclear()
  },
}
