import type { Cell } from '@assay/shared/papers.ts'
import type { PlacedLine } from './paper-lines.ts'
import { type LabelToken, scanLabels } from './question-labels.ts'

/** A printed line with its cells, its labels and the marks it names. */
export interface Row {
  line: PlacedLine
  text: string
  cells: Cell[]
  /** What could number a question at its start, outermost first. */
  labels: LabelToken[]
  explicit: boolean
  /** Starts in bold. */
  bold: boolean
  /** What stands beside and below it in a column of marks. */
  marks?: number[]
  /** `A` where the row begins a section by its letter. */
  section?: string
}

export function toRow(line: PlacedLine): Row {
  const cells = line.cells ?? [{ text: line.text, x: line.box.x, width: line.box.width }]
  const { labels, explicit } = scanLabels(line.text)
  return { line, text: line.text, cells, labels, explicit, bold: cells[0]?.bold === true }
}

/** Answer space: dots, dashes, underscores, perhaps after a word (“Acceleration = ……… m/s²”). */
const FILL = /(?:_\s?){4,}|(?:\.\s?){6,}|(?:…\s?){3,}/

export const hasAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean => FILL.test(text)

/** Nothing but answer space. */
export const isAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean =>
  hasAnswerSpace({ text }) && !/[\p{L}\p{N}]/u.test(text)
