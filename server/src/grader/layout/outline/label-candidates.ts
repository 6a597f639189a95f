import type { Cell } from '@assay/shared/papers.ts'
import { cellsOf, type PlacedLine } from '../paper-lines.ts'
import { withBracketedMarks } from '../points-columns.ts'

export type Series = 'number' | 'letter' | 'roman'

/** One level of a label: the `2`, `b` and `ii` of “2 (b) (ii)”, in lower case. */
export interface LabelToken {
  value: string
  /** As the labels of a level share it: `(a)`, `A.`, `1`, `Q1`. */
  style: string
  /** Its place in each possible series, from 1. */
  ranks: { series: Series; rank: number }[]
  end: number
}

export interface LabelCandidate {
  line: number
  /** Index of the cell; 0 at the start of the line. */
  cell: number
  from: number
  x: number
  /** Outermost first; `end` counts from the start of the line's text. */
  tokens: LabelToken[]
  section: boolean
  bold: boolean
  /** Up to the next candidate of the line. */
  rest: string
}

const WORD =
  /^(question|problem|exercise|task|item|ques|prob|qn|aufgabe|ex)\b\.?\s*(?:(?:no\.?|number|nr\.?|#)\s*)?[#.:]?\s*(?=\d|[A-Z]\b|[IVX]+\b)/i
const Q = /^(?:q\s?[.#]?|#)\s?(?=\d)/i
const SECTION =
  /^(?:[Ss]ection|SECTION|[Pp]art|PART|[Tt]eil|TEIL|[Cc]omponent|COMPONENT|[Pp]aper|PAPER)\s*(?:no\.?\s*)?[\s:#–—-]\s*(?=(?:\d{1,2}|[A-Z]|[IVX]{1,4})(?:[\s.:)(–—-]|$))/
/** To be filled in or circled: “____ 3.”, “T  F  7.”, a box. */
const TICKS = /^(?:T\s+F|True\s+False|Yes\s+No|[☐□○◯◻❍]|(?:_\s?){2,})\s*(?=[\dQ(])/i
/** “[2] Problem 1.”, “(10 pts) 3.” */
const POINTS_BEFORE =
  /^[[(]\s*\d{1,3}(?:\.5)?\s*(?:points?|pts?\.?|marks?|p\.?)?\s*[\])]\s*(?=(?:question|problem|exercise|task|q\s?\d|\d{1,2}[.):]|\(?[a-z][.)]))/i
const NUMBER = /^([([]?)([1-9]\d{0,2})([.)\]:])?(?!\d|[,%°](?:\d|\s|$)|\.\d{3})/
const DECIMAL = /^[1-9]\d{0,2}(?:\.\d{1,2}){1,3}(?=\.?(?:\s|$)|[):(\]])/
/** Boards set figures apart: “0 1 . 2”. */
const PADDED = /^0\s?(\d)(?:\s*\.\s*(\d{1,2}))?(?=\s|$)/
const LETTER = /^([([]?)\s?([a-z]{1,5})\s?([.)\]:])?(?=$|[\s([.:]|[^a-z])/i
const ROMAN = /^(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})$/
const SEPARATOR = /^\s*(?::|[–—](?=\s)|-(?=\s)(?!\s*[\d√.]))?\s*/

const romanRank = (text: string): number => {
  const units: Record<string, number> = { i: 1, v: 5, x: 10 }
  const values = [...text].map((letter) => units[letter] ?? 0)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}

function ranksOf(letters: string): LabelToken['ranks'] {
  const small = letters.toLowerCase()
  const ranks: LabelToken['ranks'] = []
  if (small.length === 1) ranks.push({ series: 'letter', rank: small.charCodeAt(0) - 96 })
  if (small !== '' && ROMAN.test(small)) ranks.push({ series: 'roman', rank: romanRank(small) })
  return ranks
}

const numberToken = (rank: number, style: string, end: number): LabelToken => ({
  value: String(rank),
  style,
  ranks: [{ series: 'number', rank }],
  end,
})

/** Outermost first. `bare`: a letter without brackets or stop is a label before words, too, as in “5 a 100”. */
export function scanLabel(text: string, bare = false): { tokens: LabelToken[]; section: boolean } {
  const tokens: LabelToken[] = []
  let at = text.length - text.trimStart().length
  const take = (pattern: RegExp) => {
    const length = pattern.exec(text.slice(at))?.[0].length ?? 0
    at += length
    return length > 0
  }
  take(/^[•·]\s+/)
  take(TICKS)
  take(POINTS_BEFORE)
  const section = take(SECTION)
  const worded = !section && (take(WORD) || take(Q))
  const padded = PADDED.exec(text.slice(at))
  if (padded) {
    at += padded[0].length
    at += SEPARATOR.exec(text.slice(at))?.[0].length ?? 0
    for (const [level, digits] of padded.slice(1).entries()) {
      if (digits === undefined) continue
      tokens.push(numberToken(Number(digits), level > 0 ? '.1' : '01', at))
    }
  }
  let decimal = DECIMAL.exec(text.slice(at))?.[0]
  // “1.4  1.4.1”: a question and the first of its parts.
  const apart = decimal === undefined ? 0 : (/^\s*/.exec(text.slice(at + decimal.length))?.[0].length ?? 0)
  const longer = decimal === undefined ? undefined : DECIMAL.exec(text.slice(at + decimal.length + apart))?.[0]
  if (decimal !== undefined && longer?.startsWith(`${decimal}.`)) {
    at += decimal.length + apart
    decimal = longer
  }
  if (decimal && !padded) {
    const levels = decimal.split('.')
    at += decimal.length + (/^[.):\]]/.test(text.slice(at + decimal.length)) ? 1 : 0)
    at += SEPARATOR.exec(text.slice(at))?.[0].length ?? 0
    for (const [level, digits] of levels.entries()) {
      tokens.push(numberToken(Number(digits), level > 0 ? '.1' : worded || section ? 'Q1' : '1.1', at))
    }
  }
  for (let level = tokens.length; level < 4; level += 1) {
    const start = at
    if (level > 0) take(/^(?:part\s+)(?=\(?[a-z]\b)/i)
    const number = NUMBER.exec(text.slice(at))
    if (number && (level === 0 || number[1] !== '')) {
      const [all, open = '', digits = '', close = ''] = number
      if (open !== '' && !/[)\]]/.test(close)) break
      // “1 mark” alone is what a question is worth.
      if (/^\s*(?:marks?|points?|pts?)\W*$/i.test(text.slice(at + all.length))) break
      const next = text[at + all.length]
      const isPart = /^[a-h](?:[\s).:(]|$)/.test(text.slice(at + all.length))
      if (next !== undefined && !/[\s(.]/.test(next) && close === '' && !isPart) break
      at += all.length
      const style = level === 0 && (worded || section) ? 'Q1' : `${open}1${close}`
      tokens.push(numberToken(Number(digits), style, at))
    } else {
      const letter = LETTER.exec(text.slice(at))
      const letters = letter?.[2] ?? ''
      const ranks = ranksOf(letters)
      if (!letter || ranks.length === 0) break
      const [all, open = '', , close = ''] = letter
      if (open !== '' && !/[)\]]/.test(close)) break
      const unmarked = open === '' && close === '' && !bare
      // “a dog”, “I think”: a bare letter must stand alone, or after a number.
      const after = text.slice(at + all.length)
      if (unmarked && level === 0 && !worded && !section && !/^[\s_.…]*$/.test(after)) break
      // “(i) a line”: a bare letter is a part only after a bare number, as in “3a”.
      const previous = tokens.at(-1)
      const before = text.slice(0, start)
      // “1 B” answers question 1; “5 a” is a part of question 5.
      const apart = after.trim() === '' && /^[a-z]/.test(letters) && !/[.)\]:]\s*$/.test(before)
      const hangs = /^(?:1|Q1)$/.test(previous?.style ?? '') && (/\d$/.test(before) || apart)
      if (unmarked && level > 0 && !hangs) break
      at += all.length
      const upper = letters !== letters.toLowerCase()
      tokens.push({
        value: letters.toLowerCase(),
        style: level === 0 && (worded || section) ? (upper ? 'QA' : 'Qa') : `${open}${upper ? 'A' : 'a'}${close}`,
        ranks,
        end: at,
      })
    }
    const spaced = /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    const token = tokens.at(-1)
    at += SEPARATOR.exec(text.slice(at))?.[0].length ?? 0
    if (token) token.end = at
    if (spaced > 6) break
  }
  return { tokens, section: section && tokens.length > 0 }
}

const LABEL_CELL = 8

/** Without its mark in a column of marks at the right margin. */
function labelCellsOf(lines: readonly PlacedLine[]): Cell[][] {
  const all = lines.map((line) => ({ line, cells: cellsOf(line) }))
  const marked = withBracketedMarks(all)
  return all.map((one) => (marked.has(one) ? one.cells.slice(0, -1) : one.cells))
}

const BARE_LETTER = /^\s*(?:\d{1,2}[.):]?\s+)?([a-h])\s+(?=\S)/
const NEXT_WITHIN = 8 // lines

/** Letters that count on from “a”, as “5 a 100”, “b 25” and “c 11” of a key. */
function linesOfBareLetters(lines: readonly PlacedLine[]): Set<number> {
  const found = lines.flatMap(({ text }, line) => {
    const letter = BARE_LETTER.exec(text)?.[1]
    return letter ? [{ line, rank: letter.charCodeAt(0) - 96 }] : []
  })
  const runs: (typeof found)[] = []
  for (const one of found) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && one.rank === last.rank + 1 && one.line - last.line <= NEXT_WITHIN) run.push(one)
    else if (one.rank === 1) runs.push([one])
  }
  return new Set(runs.filter(({ length }) => length > 1).flatMap((run) => run.map(({ line }) => line)))
}

export function findCandidates(lines: readonly PlacedLine[]): LabelCandidate[] {
  const bare = linesOfBareLetters(lines)
  const labelCells = labelCellsOf(lines)
  return lines.flatMap((line, index) => {
    const found: LabelCandidate[] = []
    const cells = labelCells[index] ?? []
    let from = 0
    for (const [i, cell] of cells.entries()) {
      const at = line.text.indexOf(cell.text, from)
      const start = at < 0 ? from : at
      from = start + cell.text.length
      // A short cell that is all label, as “5 a” of “5 a | Calculate …”, may have letters without a stop.
      const label = cell.text.trim().length <= LABEL_CELL && cells.length > i + 1 ? scanLabel(cell.text) : null
      const whole = /[a-z]/i.test(cell.text) && label?.tokens.at(-1)?.end === cell.text.length
      const text = whole ? cell.text : i === 0 ? line.text : line.text.slice(start)
      const { tokens, section } = scanLabel(text, i === 0 && bare.has(index))
      const last = found.at(-1)
      // A cell inside the label before it, as “(a)” of “3 | (a)”, is its part.
      if (tokens.length === 0 || (last && start < (last.tokens.at(-1)?.end ?? 0))) continue
      if (i > 0 && (tokens[0]?.style.length ?? 0) < 2) continue
      const placed = tokens.map((token) => ({ ...token, end: token.end + start }))
      if (last) last.rest = line.text.slice(last.tokens.at(-1)?.end ?? 0, start)
      found.push({
        line: index,
        cell: i,
        from: start,
        x: cell.x,
        tokens: placed,
        section,
        bold: cell.bold === true,
        rest: line.text.slice(placed.at(-1)?.end ?? 0),
      })
    }
    return found
  })
}
