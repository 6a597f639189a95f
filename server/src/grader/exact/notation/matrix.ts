import { type Formula, normalizeFormula, readFormula, variablesOf } from '../formula.ts'
import { sameValue } from '../relation.ts'
import { HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'
import { tuplesIn } from './tuple.ts'

/** `loose`: its rows are not told apart. */
interface Matrix {
  rows: Formula[][]
  loose: boolean
}

const ENVIRONMENT = /\\begin\s*\{[a-z]*(?:matrix|array)\*?\}(?:\{[a-z|]*\})?(.*?)\\end\s*\{[a-z]*\*?\}/gs
const BRACKETED = /[[({⟨]\s*(?:[[({][^[\](){}]*[\])}][\s,;]*){2,}[\])}⟩]|[[(][^[\]()]*[;\n][^[\]()]*[\])]/g
const ENTRY = /^[-+]?[\w.,^/*+\-()√π°]{1,24}$/u

const entriesOf = (row: string): string[] =>
  row
    .replace(/[−–]/g, '-')
    .replace(/^[\s[({|]+|[\s\])}|]+$/g, '')
    .split(/\s*[,&]\s*|\s+(?:and\s+)?/)
    .filter((entry) => entry !== '')

function matrixOf(text: string): Matrix | null {
  const parted = /[\])}][\s,;]*[[({]/.test(text) ? text.replace(/[\])}]\s*[,;]?\s*(?=[[({])/g, '\n') : text
  const rows = parted
    .replace(/\\\\/g, '\n')
    .replace(/\brow\s*\d\s*[:=]|\b(?:and )?(?:the )?\p{L}+ row(?: is)?:?/giu, '\n')
    .replace(/ \| (?!.*\n)/g, '\n')
    .split(/\n|;|\s\/\s/)
    .map(entriesOf)
    .filter((row) => row.length > 0)
  const width = rows[0]?.length ?? 0
  if (rows.flat().length < 2 || rows.some((row) => row.length !== width || row.some((entry) => !ENTRY.test(entry))))
    return null
  const read = rows.map((row) => row.map((entry) => readFormula(normalizeFormula(entry))))
  return read.every((row) => row.every((entry) => entry !== null)) ? { rows: read, loose: rows.length === 1 } : null
}

function scaled({ rows, loose }: Matrix, factor: string): Matrix {
  const by = factor === '-' ? readFormula('-1') : readFormula(normalizeFormula(factor))
  return by
    ? { rows: rows.map((row) => row.map((right) => ({ kind: 'binary', sign: '*', left: by, right }) as const)), loose }
    : { rows, loose }
}

function find(answer: string): { skeleton: string; found: Matrix[] } {
  const found: Matrix[] = []
  const put = (text: string, whole: string) => {
    const matrix = matrixOf(text)
    return matrix ? ` #${found.push(matrix) - 1}# ` : whole
  }
  const plain = answer
    .replace(/#|\$|\\(?:left|right)(?![a-z])/g, ' ')
    .replace(/[⎡⎢⎣⎛⎜⎝]/g, '[')
    .replace(/[⎤⎥⎦⎞⎟⎠]/g, ']')
    .trim()
  let skeleton = plain
    .replace(ENVIRONMENT, (all, inner: string) => put(inner, all))
    .replace(BRACKETED, (all) => put(all.slice(1, -1), all))
  if (found.length === 0) {
    const [, lead = '', rest = plain] = /^([^=:\d]*[=:])?(.*)$/s.exec(plain) ?? []
    skeleton = `${lead} ${put(rest, rest)}`
  }
  skeleton = skeleton.replace(
    /(?:^|=)\s*(-|[-\d./()]+|\\[dt]?frac\{\d+\}\{\d+\})\s*\*?\s*#(\d+)#/g,
    (_, factor, index) => {
      const matrix = found[Number(index)]
      if (matrix) found[Number(index)] = scaled(matrix, factor)
      return `#${index}#`
    },
  )
  return { skeleton: skeleton.replace(/(?<![\p{L}])[A-Z]{1,2}(?:\^\{?[-\dT]+\}?|⁻¹|ᵀ)?\s*=/gu, ' '), found }
}

const sameEntries = (a: Formula[], b: Formula[]): boolean =>
  a.length === b.length && a.every((entry, i) => sameValue(entry, b[i] ?? { kind: 'number', value: Number.NaN }))

export const MATRIX: Notation<Matrix> = {
  read(key) {
    if (key.length > 300 || /[a-z]{4}/i.test(key.replace(/\\[a-z]+|\{[a-z]*\}/gi, ''))) return null
    const { skeleton, found } = find(key)
    const [only] = found
    if (!only || only.loose || !/^\s*#0#\s*\.?\s*$/.test(skeleton)) return null
    // A column of words or letters is a list.
    const numeric = only.rows.flat().some((entry) => variablesOf(entry).size === 0)
    const told = /\\begin|[[({]/.test(key) || only.rows[0]?.length !== 1
    return numeric && told ? only : null
  },
  find(answer, key) {
    const last = find(answer.split('=').at(-1) ?? '')
    const told = last.found.length > 0 ? last : find(answer)
    const vector = key.rows.length === 1 || key.rows[0]?.length === 1
    if (told.found.length > 0 || !vector) return told
    const { skeleton, found } = tuplesIn(answer, key.rows.flat().length, true)
    const rows = found.map(({ values }) => values.map((value) => ({ kind: 'number', value }) as const))
    return { skeleton, found: rows.map((row) => ({ rows: [row], loose: true })) }
  },
  compare(key, given) {
    const [wanted, has] = [key.rows.flat(), given.rows.flat()]
    if (given.rows.length !== key.rows.length)
      return sameEntries(wanted, has) ? (key.rows[0]?.length === 1 ? { ...RIGHT, confidence: 0.8 } : HALF) : WRONG
    return sameEntries(wanted, has) ? RIGHT : WRONG
  },
}
