import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { readStance } from './read-stance.ts'

/** Coordinates, a vector, a list in brackets: order counts. */
interface Tuple {
  values: number[]
  bracket: string
}

const OPENING = '([<{'
const CLOSING = ')]>}'
const BARE =
  /\b(?:configuration|coordinates?|points?|midpoint|vector|vertex|centre|center|intersect\w*|cross|quantum\s+numbers?|arrang\w+|shells?|electrons?)\b/i
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

export function tuplesIn(text: string, length: number, bare: boolean): { skeleton: string; found: Tuple[] } {
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
    for (const separators of [separatorOf(all), /\s+|,/, /-/, /\./, /[:/]/]) {
      const values = numbersIn(all, separators)
      if (values && (length === 0 ? values.length > 2 && values.every(Number.isInteger) : values.length === length))
        return { skeleton: '#0#', found: [{ values, bracket: '' }] }
    }
    const values = numbersIn(all, separatorOf(all))
    if (values) return { skeleton: '#0#', found: [{ values, bracket: '' }] }
    // “2 in the first, 8 in the second”
    const within = [...all.matchAll(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu)].map(([number]) => Number(number))
    if (length > 1 && within.length === length && /\p{L}{2}/u.test(all) && !/\bnot\b|\bor\b/.test(all))
      return { skeleton: `#0# ${all.replace(/\d/g, ' ')}`, found: [{ values: within, bracket: '' }] }
  }
  return { skeleton, found }
}

/** `(3, 2)`, `[1, 2, 3]`, or `2,8,1` where the prompt asks for such: the whole key. */
function readTuple(prompt: string, key: string): Tuple | null {
  if (key.length > 80 || /^\s*\{/.test(key)) return null
  const { skeleton, found } = tuplesIn(key, 0, BARE.test(prompt) || /^\s*\d+(?:([-.:/])\d+)(?:\1\d+)+\s*$/.test(key))
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
