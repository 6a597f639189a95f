import { bottomOf } from '../paper-lines.ts'
import { isAnswerSpace, type Row } from '../rows.ts'
import { readNamedPoints } from './points.ts'

/** Lines of one paragraph are no further apart than this share of their height. */
const MOST_LEADING = 0.75

const namesPoints = ({ text, cells }: Row): boolean =>
  readNamedPoints(cells.at(-1)?.text ?? text)?.form === 'unit' || readNamedPoints(text)?.form === 'unit'

/** Questions without numbers, as forms print them, each ending with its points: the rows of each. */
export function findUnnumberedQuestions(rows: readonly Row[]): Row[][] {
  const ends = rows.flatMap((row, at) => (namesPoints(row) ? [at] : []))
  if (ends.length < 2) return []
  const starts = ends.map((end, i) => firstRowOf(rows, end, (ends[i - 1] ?? -1) + 1))
  return starts.map((at, i) => rows.slice(at, starts[i + 1] ?? rows.length))
}

/** The start of the paragraph that a row ends. */
function firstRowOf(rows: readonly Row[], end: number, least: number): number {
  let at = end
  while (at > least) {
    const [row, above] = [rows[at], rows[at - 1]]
    if (!row || !above || isAnswerSpace(above) || above.bold !== row.bold || above.line.page !== row.line.page) break
    const gap = row.line.box.y - bottomOf(above.line)
    if (gap > MOST_LEADING * row.line.box.height || above.labels[0]?.kind === 'letter') break
    at -= 1
  }
  return at
}
