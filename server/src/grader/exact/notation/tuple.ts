import { evaluateAt, type Formula, normalizeFormula, readFormula, variablesOf } from '../formula.ts'
import { exactJudgement, UNSURE } from '../judgement.ts'
import { digitsForWords, plainMath } from '../numbers/plain-math.ts'
import { readNumberAt } from '../numbers/read-expression.ts'
import { type Found, HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'
import { solutionsIn } from './solutions.ts'

/** Coordinates, a vector, a list in brackets: order counts. */
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

/** “x = 3, y = 2”, in the order of the names, and “i − 2j + 3k”. */
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
    // “at x = 3, where y = 4”
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
  find: (answer, key) =>
    tuplesIn(
      key.bracket === ''
        ? answer
            .replace(SHELL_NAME, ', ')
            .replace(/^[\s,]+/, '')
            .replace(/,(?:\s*,)+/g, ',')
        : answer,
      key.values.length,
      true,
    ),
  compare(key, given, prompt) {
    if (!sameValues(key.values, given.values)) return WRONG
    // A program prints brackets as they are.
    return CODE.test(prompt) && given.bracket !== key.bracket ? HALF : RIGHT
  },
  otherwise(answer, skeleton, found, key) {
    const [, name = '', value] = /^\W*([xyz])\s*=\s*(-?[\d.]+)\W*$/i.exec(answer.replace(/−/g, '-')) ?? []
    // One of the coordinates.
    if (value !== undefined && key.values['xyz'.indexOf(name)] === Number(value))
      return exactJudgement(0.25, UNSURE, 'unclear')
    const single = found.length === 0 && /^\W*(?:[a-z]\s*=\s*)?[-+]?[\d.,/]+\W*$/i.test(skeleton)
    return exactJudgement(0, single ? 0.75 : UNSURE, single ? 'exact_wrong' : 'unclear')
  },
}
