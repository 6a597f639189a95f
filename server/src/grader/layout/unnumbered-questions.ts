import { divideQuestion, type QuestionUnit, rowPoints } from './question-parts.ts'
import { isAnswerSpace, type Row } from './rows.ts'

/** Lines of one paragraph are no further apart than this share of their height. */
const MOST_LEADING = 0.75

/** Questions without numbers, as forms print them: each ends with its points. They are numbered in order. */
export function findUnnumberedQuestions(rows: Row[]): QuestionUnit[] {
  const ends = rows.flatMap((row, at) => (rowPoints([row]) === null ? [] : [at]))
  if (ends.length < 2) return []
  const starts = ends.map((end, i) => firstRowOf(rows, end, (ends[i - 1] ?? -1) + 1))
  const units = starts.map((at, i): QuestionUnit => {
    return {
      path: [String(i + 1)],
      used: 0,
      skip: 0,
      section: 1,
      sectionName: null,
      rows: rows.slice(at, starts[i + 1] ?? rows.length),
      pointsEach: null,
      children: [],
    }
  })
  for (const unit of units) divideQuestion(unit)
  return units
}

/** The start of the paragraph that a row ends. */
function firstRowOf(rows: Row[], end: number, least: number): number {
  let at = end
  while (at > least) {
    const [row, above] = [rows[at], rows[at - 1]]
    if (!row || !above || isAnswerSpace(above) || above.bold !== row.bold || above.line.page !== row.line.page) break
    const gap = row.line.box.y - (above.line.box.y + above.line.box.height)
    if (gap > MOST_LEADING * row.line.box.height || above.labels[0]?.kind === 'letter') break
    at -= 1
  }
  return at
}
