import type { Cell, Paper } from '@assay/shared/papers.ts'
import { type PrintedRubric, printPairs } from '../../layout/match-printed-lines.ts'
import { cellsOf, type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import { type KeyLine, readFrom } from './key-lines.ts'

const styleOf = ({ colour, highlight }: Cell): string | null => colour ?? (highlight ? `on ${highlight}` : null)

const LEAST_STYLED = 2 // a colour of fewer spans marks something else

export function answerStyles(blank: Paper, key: Paper): Set<string> {
  const count = (paper: Paper) => {
    const found = new Map<string, number>()
    for (const line of visibleLines(paper))
      for (const cell of line.cells ?? []) {
        const style = styleOf(cell)
        if (style) found.set(style, (found.get(style) ?? 0) + 1)
      }
    return found
  }
  const printed = count(blank)
  return new Set(
    [...count(key)].flatMap(([style, times]) => (printed.has(style) || times < LEAST_STYLED ? [] : [style])),
  )
}

export const cellsInStyles = (line: PlacedLine, styles: ReadonlySet<string>): PlacedLine[] =>
  (line.cells ?? [])
    .filter((cell) => styles.has(styleOf(cell) ?? ''))
    .map((cell) => ({ ...line, text: cell.text, cells: [cell], box: { ...line.box, x: cell.x, width: cell.width } }))

export function answerInStyles(line: PlacedLine, styles: ReadonlySet<string>): KeyLine | null {
  const parts = cellsInStyles(line, styles)
  if (parts.length === 0) return null
  const right = Math.max(...parts.map(({ box }) => box.x + box.width))
  return readFrom({ text: parts.map(({ text }) => text).join(' '), right }, line)
}

/** Gives coloured words to the question whose print comes before. */
export function readColouredKey(print: PrintedRubric, key: Paper, styles: Set<string>): Map<string, KeyLine[]> {
  const lines = visibleLines(key).map((line) => ({ text: printIn(line, styles), answer: answerInStyles(line, styles) }))
  const questions = new Map(printPairs(print.lines, lines).map(({ printed, line }) => [line, printed.question]))
  const found = new Map<string, KeyLine[]>()
  let current: string | null = null
  for (const line of lines) {
    const question = questions.get(line)
    if (question && line.text !== '') current = question
    if (current && line.answer) found.set(current, [...(found.get(current) ?? []), line.answer])
  }
  return found
}

/** A full stop in black between coloured words is theirs. */
function printIn(line: PlacedLine, styles: ReadonlySet<string>): string {
  const printed = cellsOf(line).filter((cell) => !styles.has(styleOf(cell) ?? '') && /[\p{L}\p{N}]/u.test(cell.text))
  return printed.map(({ text }) => text).join(' ')
}
