import { evaluateAt, type Formula, normalizeFormula, readFormula, sizeOf, variablesOf } from '../formula.ts'
import { spokenToSymbols, wordsIn } from '../formula-readings.ts'
import { exactJudgement, UNSURE, unclear } from '../judgement.ts'
import { digitsForWords, plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { sameValue } from '../relation.ts'
import { type Found, HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

interface Tuple {
  values: number[]
  bracket: string
}

const OPENING = '([<{'
const CLOSING = ')]>}'
const CODE = /\b(?:print|code|program|python|java\w*|array|list|output|returns?|variable|append|executed?|runs?)\b/i
const SHELLS = /^\s*\d{1,2}(?:\.\d{1,2}){2,}\s*$/
const SHELL_NAME = /^\W*[K]\s*[:=-]?\s*(?=\d)|(?:\s*[,;]?\s*)\b[L-Q]\s*[:=-]?\s*(?=\d)|(?<=\d)\s*e(?:[-⁻−]|\b)/g
const LABELS = 'xyzw'
const AXES = 'ijk'

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

/** “x = 3, y = 2”, “i − 2j + 3k” */
function namedValues(text: string): number[] | null {
  const told = solutionsIn(text)?.filter(({ name }) => /^[w-z]$/.test(name)) ?? []
  const at = (value: Formula, axis = '') =>
    evaluateAt(value, new Map([...AXES].map((one) => [one, Number(one === axis)])))
  if (told.length > 1)
    return told.sort((a, b) => LABELS.indexOf(a.name) - LABELS.indexOf(b.name)).map(({ value }) => at(value))
  const vector = readFormula(normalizeFormula(text.replace(/^.*=/, '')))
  const names = vector ? [...variablesOf(vector)].sort() : []
  if (!vector || names.length < 2 || names.some((name) => !AXES.includes(name))) return null
  return [...AXES.slice(0, AXES.indexOf(names.at(-1) ?? '') + 1)].map((axis) => at(vector, axis))
}

export function tuplesIn(text: string, length: number, bare: boolean): Found<Tuple> {
  const plain = digitsForWords(plainMath(text.slice(0, 1000)))
    .replace(/#/g, ' ')
    .replace(/⟨/g, '<')
    .replace(/⟩/g, '>')
  const found: Tuple[] = []
  const skeleton = plain.replace(
    /(?:\b[A-Z]{1,2}\s*=?\s*)?([([<{])([^()[\]<>{}]*)([)\]>}])/g,
    (all, open: string, inner: string, close: string) => {
      const values = OPENING.indexOf(open) === CLOSING.indexOf(close) ? numbersIn(inner, separatorOf(inner)) : null
      return values ? `#${found.push({ values, bracket: open }) - 1}#` : all
    },
  )
  if (found.length === 0) {
    const listed = skeleton.replace(/(?<=\d)\s+(?=[w-z]\s*=)/g, ', ')
    const values = namedValues(listed) ?? namedValues(skeleton.replace(/^.*?\b(?=[w-z]\s*=)/s, ''))
    if (values) return { skeleton: '#0#', found: [{ values, bracket: '(' }] }
  }
  if (found.length === 0 && bare) {
    const all = plain.trim().replace(/\.$/, '')
    for (const separators of [separatorOf(all), /\s+|,/, /[:/.-]/]) {
      const values = numbersIn(all, separators)
      if (values?.length === length) return { skeleton: '#0#', found: [{ values, bracket: '' }] }
    }
    const values = numbersIn(all, separatorOf(all))
    if (values) return { skeleton: '#0#', found: [{ values, bracket: '' }] }
    const within = [...all.matchAll(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu)].map(([number]) => Number(number))
    if (within.length === length && /\p{L}{2}/u.test(all) && !/\bnot\b|\bor\b/.test(all))
      return { skeleton: `#0# ${all.replace(/\d/g, ' ')}`, found: [{ values: within, bracket: '' }] }
  }
  return { skeleton, found }
}

const sameValues = (a: number[], b: number[]): boolean =>
  a.length === b.length &&
  a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= 1e-9 * Math.max(1, Math.abs(value)))

export const TUPLE: Notation<Tuple> = {
  read(key) {
    // Electrons by shell.
    if (SHELLS.test(key)) return { values: key.trim().split('.').map(Number), bracket: '' }
    if (key.length > 80 || /^\s*\{/.test(key) || !/[(⟨<[]|[ijk]/.test(key)) return null
    const { skeleton, found } = tuplesIn(key, 0, false)
    const [only] = found
    return only && /^\s*(?:[a-z]\s*=\s*)?#0#\s*\.?\s*$/i.test(skeleton) ? only : null
  },
  find(answer, { bracket, values }) {
    const shells = answer.replace(SHELL_NAME, ', ').replace(/^[\s,]+/, '')
    return tuplesIn(bracket === '' ? shells.replace(/,(?:\s*,)+/g, ',') : answer, values.length, true)
  },
  compare(key, given, prompt) {
    if (!sameValues(key.values, given.values)) return WRONG
    // A program prints brackets as they are.
    return CODE.test(prompt) && given.bracket !== key.bracket ? HALF : RIGHT
  },
  otherwise(answer, skeleton, found, key) {
    const [, name = '', value] = /^\W*([xyz])\s*=\s*(-?[\d.]+)\W*$/i.exec(answer.replace(/−/g, '-')) ?? []
    if (value !== undefined && key.values['xyz'.indexOf(name)] === Number(value)) return unclear(0.25)
    const single = found.length === 0 && /^\W*(?:[a-z]\s*=\s*)?[-+]?[\d.,/]+\W*$/i.test(skeleton)
    return exactJudgement(0, single ? 0.75 : UNSURE, single ? 'exact_wrong' : 'unclear')
  },
}

interface Solution {
  name: string
  value: Formula
  decimals: number
}

const PLUS_MINUS = /±|\\pm(?![a-z])|\+\s?\/\s?[-−–]|\+[-−](?=\s*[\d√(])|\bplus\s+(?:or|and)\s+minus\b/gi
const ASKS = /\b(?:solve|solutions?|roots?|zeros?|zeroes|values?\s+of|satisf\w+|intersect\w*|factors?|formula)\b/i
const NAMED = /^\s*([a-zA-Zα-ω])\s*(?:_?\{?\d+\}?|[₀-₉]+)?\s*(?:=|≈|:|\bis\b|∈)\s*(.+)$/su
const RESULT = /\n|\bso\b|\bhence\b|\btherefore\b|∴|⇒|=>|→|⟹|\bgives?\b/i

const expanded = (text: string): string[] =>
  text.includes('±') ? ['+', '-'].map((sign) => text.replaceAll('±', sign)) : [text]

function solutionsIn(text: string): Solution[] | null {
  const solutions: Solution[] = []
  let name = ''
  const plain = text
    .replace(PLUS_MINUS, '±')
    .replace(/\b(?:at|when|if|then|also|thus)\b/gi, ' ')
    .replace(/^\s*[LS]\s*=\s*(?=\\?\{)/, '')
    .replace(/^\s*\(\s*[a-z](?:\s*,\s*[a-z])+\s*\)\s*=\s*\(([^()]*)\)\s*$/, '$1')
    .replace(/\$|\\[()[\] ,;:!]|\\(?:left|right)(?![a-z])|\\(?=[{}])|°|\bdeg(?:rees?)?\b|\^\{?\\circ\}?/g, ' ')
    .replace(/\.\s*$/, '')
    .replace(/^(\s*(?:[a-z]\s*(?:∈|=)\s*)?)\{([^{}]*)\}\s*$/s, '$1$2')
  const parts = plain
    .replace(/(?<=_\{?\d),(?=\d\})/g, '')
    .split(/\s*(?:,|;|\n|&|\bor\b|\band\b|\bbut\b|∨)\s*/i)
    .flatMap(expanded)
  for (const part of parts) {
    const [, own, rest = part] = NAMED.exec(part) ?? []
    if (part.trim() === '' || (own === undefined && /[a-z].*=|=.*[a-z]/i.test(part) && parts.length > 1)) continue
    name = own ?? name
    // In “(4 ± √12)/2 = 2 ± √3” the last step counts.
    const last = rest.split('=').at(-1) ?? ''
    const written = normalizeFormula(spokenToSymbols(last))
    // In “(−b ± √d)/2a” all of “2a” is below.
    const value = wordsIn(written).size > 0 ? null : readFormula(written, new Set(), true)
    if (!value) return null
    const decimals = /^\s*[-+]?\s*\d+\.(\d+)\s*$/.exec(written)?.[1]?.length ?? 0
    solutions.push({ name, value, decimals })
  }
  return solutions.filter((one, i) => solutions.findIndex((other) => fits(one, other) && one.name === other.name) === i)
}

/** Equal, or rounded to at least two decimals. */
function fits(key: Solution, given: Solution): boolean {
  if (sameValue(key.value, given.value)) return true
  if (given.decimals < 2 || variablesOf(key.value, variablesOf(given.value)).size > 0) return false
  const [wanted, has] = [evaluateAt(key.value, new Map()), evaluateAt(given.value, new Map())]
  return Math.abs(wanted - has) <= 0.5001 * 10 ** -given.decimals
}

/** “x = 3 or x = -2”, “x = 2 ± √3”: all values of one unknown. */
export const SOLUTIONS: Notation<Solution[]> = {
  read(key, prompt) {
    if (key.length > 120) return null
    const solutions = solutionsIn(key)
    const several = solutions !== null && solutions.length > 1
    const signed = /±|\\pm/.test(key) && (ASKS.test(prompt) || /=/.test(key))
    const named = several && solutions.every(({ name }) => name !== '') && /=/.test(key)
    const numbers = several && solutions.every(({ value }) => variablesOf(value).size === 0 || /i/.test(key))
    if (new Set(solutions?.map(({ name }) => name)).size > 1) return null
    return several && (signed || (numbers && (named || /°|\bi\b|\di\b/.test(key)))) ? solutions : null
  },
  find(answer) {
    const rows = answer.trim().split('\n')
    const listed = rows.every((row) => NAMED.test(row)) ? rows.join(', ') : answer
    const parts = listed.split(RESULT).filter((part) => part.trim() !== '')
    const pieces = listed.split(/[;\n]/).map((piece) => piece.split(RESULT).at(-1) ?? '')
    const each = pieces.length > 1 && pieces.every((piece) => NAMED.test(piece))
    const end = each ? pieces.join(', ') : (parts.at(-1) ?? '')
    const last = end.replace(/^.*\b(?:answers?|solutions?|roots)\b(?:\s+(?:is|are))?\s*:?\s*(?=\S)/is, '')
    const bracket = /\(([^()]*)\)/.exec(last)?.[1]
    const told =
      solutionsIn(last.replace(/^\s*\(([^()]*)\)\s*$/s, '$1')) ??
      solutionsIn(last) ??
      (bracket ? solutionsIn(bracket) : null)
    if (!told || told.length === 0) return { skeleton: answer.replace(/#/g, ' '), found: [] }
    return { skeleton: '#0#', found: [told] }
  },
  compare(key, given, prompt) {
    const matched = key.filter((one) => given.some((other) => fits(one, other))).length
    const extra = Math.max(0, given.length - key.length)
    const share = Math.max(0, matched - extra) / key.length
    if (share === 1) {
      const longer = sizeOf(given) - sizeOf(key)
      if (longer > 0 && /\b(?:simpl\w+|exact)\b/i.test(prompt)) return { ...HALF, share: 0.75 }
      const rounded = given.some((one) => one.decimals > 1) && key.every((one) => one.decimals === 0)
      return !rounded
        ? longer === 0
          ? RIGHT
          : { ...RIGHT, confidence: 0.85 }
        : /\bexact/i.test(prompt)
          ? HALF
          : { ...RIGHT, confidence: 0.8 }
    }
    return share > 0 ? { share, confidence: 0.8 } : WRONG
  },
  otherwise: () => null,
}
