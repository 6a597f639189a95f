import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { readStance } from './read-stance.ts'

interface Interval {
  from: number
  to: number
  fromOpen: boolean
  toOpen: boolean
}

const BOUND = String.raw`[-+]?\s?(?:∞|inf(?:inity|ty)?\b|oo\b|\\infty|[\d.,]*\d(?:\s?\/\s?\d+)?|[\d.]*sqrt\s?\(?\d+\)?|[\d.]*π)`
const SIGN = '[<>≤≥]'
const BRACKETS = new RegExp(String.raw`([[(\]])\s*(${BOUND})\s*[,;]\s*(${BOUND})\s*([\])[])`, 'i')
const CHAIN = new RegExp(String.raw`(${BOUND})\s*(${SIGN})\s*\|?([a-z])\|?\s*(${SIGN})\s*(${BOUND})`, 'i')
const ONE = new RegExp(
  String.raw`(?<![\w*^/)]|\d )(?:([a-z])\s*(${SIGN})\s*(${BOUND})|(${BOUND})\s*(${SIGN})\s*([a-z]))(?![\w^])`,
  'gi',
)
const ASKS =
  /\b(?:intervals?|domain|range|inequalit\w+|solve|solution|values\s+of|defined|increasing|decreasing|converges?)\b/i

/** Words for signs: “x is greater than 3” is `x > 3`. */
const signsForWords = (text: string): string =>
  digitsForWords(plainMath(text.slice(0, 1000).replace(/(?<=[a-z]\s?)=>(?=\s?[-+−\d])/gi, '≥')))
    .replace(
      /\b(?:is\s+|are\s+)?(?:greater|more|bigger|larger)\s+than\s+or\s+equal(?:s)?\s+to\b|\bis\s+at\s+least\b/gi,
      '≥',
    )
    .replace(/\b(?:is\s+|are\s+)?(?:less|smaller|fewer)\s+than\s+or\s+equal(?:s)?\s+to\b|\bis\s+at\s+most\b/gi, '≤')
    .replace(/\b(?:is\s+|are\s+)?(?:greater|more|bigger|larger)\s+than\b/gi, '>')
    .replace(/\b(?:is\s+|are\s+)?(?:less|smaller|fewer)\s+than\b/gi, '<')
    .replace(/\\(?:le|leq)\b/g, '≤')
    .replace(/\\(?:ge|geq)\b/g, '≥')
    .replace(/\\infty/g, '∞')

function bound(text: string): number | null {
  const plain = text.replace(/\s/g, '')
  if (/∞|inf|oo/i.test(plain)) return plain.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const read = readNumberAt(plain, 0)
  return read && read.end === plain.length ? read.value : null
}

const made = (from: number | null, to: number | null, fromOpen: boolean, toOpen: boolean): Interval | null =>
  from === null || to === null
    ? null
    : {
        from,
        to,
        fromOpen: fromOpen || from === Number.NEGATIVE_INFINITY,
        toOpen: toOpen || to === Number.POSITIVE_INFINITY,
      }

function bracketed(match: RegExpExecArray): Interval | null {
  const [, open = '', from = '', to = '', close = ''] = match
  return made(bound(from), bound(to), open !== '[', close !== ']')
}

function chained(match: RegExpExecArray): Interval | null {
  const [, left = '', first = '', , second = '', right = ''] = match
  const up = /[<≤]/
  const [from, to] = [bound(left), bound(right)]
  if (up.test(first) && up.test(second)) return made(from, to, first === '<', second === '<')
  if (!up.test(first) && !up.test(second)) return made(to, from, second === '>', first === '>')
  return null
}

function halfLine(match: RegExpMatchArray): Interval | null {
  const [, name, sign, value, before, other] = match
  const at = bound(value ?? before ?? '')
  const up = name !== undefined ? /[>≥]/.test(sign ?? '') : /[<≤]/.test(other ?? '')
  const open = /[<>]/.test(sign ?? other ?? '')
  return up ? made(at, Number.POSITIVE_INFINITY, open, true) : made(Number.NEGATIVE_INFINITY, at, true, open)
}

/** Replaced by `#0#` in the skeleton; half-lines joined by “and” are one. */
function intervalsIn(text: string): { skeleton: string; found: Interval[] } {
  const found: Interval[] = []
  const put = (interval: Interval | null, all: string) => (interval ? `#${found.push(interval) - 1}#` : all)
  let skeleton = signsForWords(text).replace(/#/g, ' ')
  skeleton = skeleton.replace(new RegExp(CHAIN, 'gi'), (...match) =>
    put(chained(match as unknown as RegExpExecArray), String(match[0])),
  )
  skeleton = skeleton.replace(new RegExp(BRACKETS, 'gi'), (...match) =>
    put(bracketed(match as unknown as RegExpExecArray), String(match[0])),
  )
  skeleton = skeleton.replace(ONE, (...match) => put(halfLine(match as unknown as RegExpMatchArray), String(match[0])))
  const pair = /#(\d+)#\s*(?:and|,|&|∩)\s*#(\d+)#/i.exec(skeleton)
  const [left, right] = [found[Number(pair?.[1])], found[Number(pair?.[2])]]
  if (pair && left && right && Number.isFinite(left.from) !== Number.isFinite(right.from)) {
    const [low, high] = Number.isFinite(left.from) ? [left, right] : [right, left]
    found.push({ from: low.from, fromOpen: low.fromOpen, to: high.to, toOpen: high.toOpen })
    skeleton = skeleton.replace(pair[0], `#${found.length - 1}#`)
  }
  return { skeleton: skeleton.replace(/[a-z]\s*(?:∈|\bin\b)\s*(?=#)|∈|\|/gi, ' '), found }
}

/** `[0, 5)`, `x > 3`, `-2 < x < 2`. Two numbers in round brackets only where an interval is asked for. */
function readInterval(prompt: string, key: string): Interval | null {
  if (key.length > 60) return null
  const { skeleton, found } = intervalsIn(key)
  const [only] = found
  if (!only || !new RegExp(`^\\s*#${found.length - 1}#\\s*\\.?\\s*$`).test(skeleton)) return null
  const plain = plainMath(key).replace(/\s/g, '')
  const brackets = /^[[(\]].*[\])[]$/.test(plain) && !/[<>≤≥]/.test(plain)
  const certain = /∞|inf/i.test(plain) || /^\[.*\)$|^\(.*\]$|^\]|\[$/.test(plain)
  const interval = found.at(-1) ?? null
  if (brackets && !certain && !(ASKS.test(prompt) && (interval?.from ?? 0) < (interval?.to ?? 0))) return null
  return interval
}

const same = (a: Interval, b: Interval): boolean =>
  near(a.from, b.from) && near(a.to, b.to) && a.fromOpen === b.fromOpen && a.toOpen === b.toOpen

const near = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))

export function judgeInterval(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => readInterval(prompt, key)).filter((key) => key !== null)
  if (keys.length === 0) return null
  const { skeleton, found } = intervalsIn(answer)
  // “2x > 6” and “x² < 4” are not solved.
  const unsolved = /[<>≤≥]/.test(skeleton)
  if (found.length === 0)
    return exactJudgement(
      0,
      unsolved || !/^\W*(?:[a-z]\s*=\s*)?[-+]?[\d./]+\W*$/i.test(skeleton) ? UNSURE : 0.93,
      unsolved ? 'unclear' : 'exact_wrong',
    )
  const stance = readStance(
    skeleton.replace(/(?:^|\n|\bso\b|,)[^#\n]*[<>≤≥][^#\n]*?(?=\n|\bso\b|,|#|$)/gi, ' '),
    prompt,
    (i, j) => {
      const [one, other] = [found[i], found[j]]
      return one !== undefined && other !== undefined && !same(one, other)
    },
  )
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (!meant) return exactJudgement(0, UNSURE, 'unclear')
  return bestJudgement(
    keys.map((key) => {
      if (stance.denied) return exactJudgement(0, 0.85, 'exact_wrong')
      if (same(key, meant)) return exactJudgement(1, stance.understood ? 0.95 : 0.8, 'exact_right')
      return exactJudgement(0, stance.understood && !unsolved ? 0.92 : 0.7, 'exact_wrong')
    }),
  )
}

/** Coordinates, a vector, a list in brackets: order counts. */
interface Tuple {
  values: number[]
  bracket: string
}

const OPENING = '([<{'
const CLOSING = ')]>}'
const BARE =
  /\b(?:configuration|coordinates?|points?|midpoint|vector|vertex|centre|center|intersect\w*|cross|quantum\s+numbers?)\b/i
const CODE = /\b(?:print|code|program|python|java\w*|array|list|output|returns?|variable|append|executed?|runs?)\b/i
const LABELS = 'xyzw'

/** Null where the text holds anything else. */
function numbersIn(text: string, separators: RegExp): number[] | null {
  const members = text.split(separators)
  const values = members.map((member) => {
    const plain = member.trim()
    const read = readNumberAt(plain, 0)
    return read && read.end === plain.length ? read.value : null
  })
  return values.length > 1 && values.every((value) => value !== null) ? values : null
}

const separatorOf = (text: string): RegExp => (/;/.test(text) ? /;/ : /\|/.test(text) ? /\|/ : /,/)

/** “x = 3, y = 2”, in the order of the names. */
function labelled(text: string): { values: number[]; all: string } | null {
  const found = [...text.matchAll(/(?<![\w.])([wxyz])\s*(?:=|:|\bis\b)\s*([-+]?\s?[\d.,/]*\d)/gi)]
  const named = new Map(
    found.map((match) => [(match[1] ?? '').toLowerCase(), readNumberAt((match[2] ?? '').replace(/\s/g, ''), 0)?.value]),
  )
  const names = [...LABELS].filter((name) => named.has(name)).sort()
  const ordered = names.filter((name) => name !== 'w').concat(names.includes('w') ? ['w'] : [])
  const values = ordered.map((name) => named.get(name))
  const [first] = found
  const last = found.at(-1)
  if (named.size < 2 || !first || !last || !values.every((value) => value !== undefined)) return null
  return { values, all: text.slice(first.index, last.index + last[0].length) }
}

/** “i − 2j + 3k”. */
function byUnitVectors(text: string): number[] | null {
  const plain = text.replace(/[\s*]/g, '').replace(/^.*=/, '')
  if (!/^[-+]?[\d./]*[ijk](?:[-+][\d./]*[ijk]){1,2}$/.test(plain)) return null
  const parts = [...plain.matchAll(/([-+]?)([\d./]*)([ijk])/g)].map(([, sign, digits = '', axis = '']) => {
    const size = digits === '' ? 1 : (readNumberAt(digits, 0)?.value ?? Number.NaN)
    return { axis, value: sign === '-' ? -size : size }
  })
  return parts.sort((a, b) => (a.axis < b.axis ? -1 : 1)).map(({ value }) => value)
}

function tuplesIn(text: string, length: number, bare: boolean): { skeleton: string; found: Tuple[] } {
  const plain = digitsForWords(plainMath(text.slice(0, 1000)))
    .replace(/#/g, ' ')
    .replace(/⟨/g, '<')
    .replace(/⟩/g, '>')
  const found: Tuple[] = []
  let skeleton = plain.replace(
    /(?:\b[A-Z]{1,2}\s*=?\s*)?([([<{])([^()[\]<>{}]*)([)\]>}])/g,
    (all, open: string, inner: string, close: string) => {
      const values = OPENING.indexOf(open) === CLOSING.indexOf(close) ? numbersIn(inner, separatorOf(inner)) : null
      return values ? `#${found.push({ values, bracket: open }) - 1}#` : all
    },
  )
  if (found.length === 0) {
    const pairs = labelled(skeleton)
    if (pairs) skeleton = skeleton.replace(pairs.all, `#${found.push({ values: pairs.values, bracket: '(' }) - 1}#`)
  }
  const vector = found.length === 0 ? byUnitVectors(plain) : null
  if (vector) return { skeleton: '#0#', found: [{ values: vector, bracket: '(' }] }
  if (found.length === 0 && bare) {
    const all = plain.trim().replace(/\.$/, '')
    for (const separators of [separatorOf(all), /\s+|,/, /-/, /\./]) {
      const values = numbersIn(all, separators)
      if (values && values.length === length) return { skeleton: '#0#', found: [{ values, bracket: '' }] }
    }
    const values = numbersIn(all, separatorOf(all))
    if (values) return { skeleton: '#0#', found: [{ values, bracket: '' }] }
  }
  return { skeleton, found }
}

/** `(3, 2)`, `[1, 2, 3]`, or `2,8,1` where the prompt asks for such: the whole key. */
function readTuple(prompt: string, key: string): Tuple | null {
  if (key.length > 80) return null
  const { skeleton, found } = tuplesIn(key, 0, BARE.test(prompt))
  const [only] = found
  return only && /^\s*(?:[a-z]\s*=\s*)?#0#\s*\.?\s*$/i.test(skeleton) ? only : null
}

const sameValues = (a: number[], b: number[]): boolean =>
  a.length === b.length &&
  a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= 1e-9 * Math.max(1, Math.abs(value)))

export function judgeTuple(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => readTuple(prompt, key)).filter((key) => key !== null)
  if (keys.length === 0) return null
  return bestJudgement(keys.map((key) => judgeAgainst(key, prompt, answer)))
}

function judgeAgainst(key: Tuple, prompt: string, answer: string): Judgement {
  const { skeleton, found } = tuplesIn(answer, key.values.length, true)
  const stance = readStance(skeleton, prompt, (i, j) => !sameValues(found[i]?.values ?? [], found[j]?.values ?? []))
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (!meant) {
    const single = /^\W*(?:[a-z]\s*=\s*)?[-+]?[\d.,/]+\W*$/i.test(skeleton)
    return single && found.length === 0 ? exactJudgement(0, 0.75, 'exact_wrong') : exactJudgement(0, UNSURE, 'unclear')
  }
  if (stance.denied) return exactJudgement(0, sameValues(key.values, meant.values) ? 0.92 : 0.6, 'exact_wrong')
  if (!sameValues(key.values, meant.values)) return exactJudgement(0, stance.understood ? 0.93 : 0.75, 'exact_wrong')
  // A program prints brackets as they are.
  if (CODE.test(prompt) && meant.bracket !== key.bracket) return exactJudgement(0.5, UNSURE, 'unclear')
  return exactJudgement(1, stance.understood ? 0.95 : 0.8, 'exact_right')
}
