import type { Cell } from '@assay/shared/papers.ts'
import { bottomOf, cellsOf, type PlacedLine } from './paper-lines.ts'
import { type LabelToken, scanLabels } from './question-labels.ts'

export interface Row {
  line: PlacedLine
  text: string
  cells: Cell[]
  /** What could number a question at its start, outermost first. */
  labels: LabelToken[]
  explicit: boolean
  bold: boolean
  /** What stands beside and below it in a column of marks. */
  marks?: number[]
  /** `A` where the row begins a section by its letter. */
  section?: string
}

export function toRow(line: PlacedLine): Row {
  const cells = cellsOf(line)
  const { labels, explicit } = scanLabels(line.text)
  return { line, text: line.text, cells, labels, explicit, bold: cells[0]?.bold === true }
}

/** Answer space: dots, dashes, underscores, perhaps after a word (“Acceleration = ……… m/s²”). */
const FILL = /(?:_\s?){4,}|(?:\.\s?){6,}|(?:…\s?){3,}/

export const hasAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean => FILL.test(text)

export const isAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean =>
  hasAnswerSpace({ text }) && !/[\p{L}\p{N}]/u.test(text)

/** What stands over a label's words starts at least so far right of the label, in points. */
const RIGHT_OF_LABEL = 8
/** Rows of brackets touch those below them, give or take, in points. */
const TOUCHING = 3

/** Puts what stands higher than its row's number behind that row: upper rows of a matrix, limits of an integral. */
export function withTallFormulas<R extends Row>(rows: readonly R[]): R[] {
  const ordered: R[] = []
  for (const row of rows) {
    const over: R[] = []
    if (row.labels.length > 0) {
      for (let last = ordered.at(-1); last && reachesInto(last, row, over[0] ?? row); last = ordered.at(-1)) {
        ordered.pop()
        over.unshift(last)
      }
    }
    ordered.push(row, ...over)
  }
  return ordered
}

function reachesInto(above: Row, labelled: Row, below: Row): boolean {
  // “2 1 1 −1” is a row of a matrix, “2.” and “(b)” are labels.
  const numbered = above.explicit || above.labels.some(({ style }) => style.length > 1)
  if (numbered || above.line.page !== labelled.line.page) return false
  // Formulas have single letters and no words.
  if (above.line.box.x < labelled.line.box.x + RIGHT_OF_LABEL || /\p{L}{3}/u.test(above.text)) return false
  const gap = below.line.box.y - bottomOf(above.line)
  return gap < 0 || (gap < TOUCHING && !/[\p{L}\p{N}]/u.test(above.text))
}
