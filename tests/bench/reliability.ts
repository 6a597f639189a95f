/** By tenths of the confidence; errors are shares of the points. */
interface Reliability {
  rows: { from: number; answers: number; expected: number; found: number; within: number }[]
  /** Expected calibration error (Naeini et al., 2015). */
  ece: number
  /** Answers at .9 and more, and the share of them within a tenth of the points. */
  sure: { answers: number; within: number }
  /** Full marks at .9 and more, and the share of them that people gave less than half. */
  fullMarks: { answers: number; wrong: number }
}

interface Judged {
  person: number
  ours: number
  confidence: number
}

const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length)
const errorOf = ({ person, ours }: Judged) => Math.abs(person - ours)
const withinTenth = (answers: Judged[]) => mean(answers.map((one) => (errorOf(one) <= 0.1 + 1e-9 ? 1 : 0)))

export function reliabilityOf(answers: Judged[]): Reliability {
  const rows = Array.from({ length: 10 }, (_, i) => {
    const own = answers.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)) === i)
    const expected = mean(own.map(({ confidence }) => 1 - confidence))
    return { from: i / 10, answers: own.length, expected, found: mean(own.map(errorOf)), within: withinTenth(own) }
  }).filter((row) => row.answers > 0)
  const sure = answers.filter(({ confidence }) => confidence >= 0.9)
  const full = sure.filter(({ ours }) => ours >= 0.95)
  return {
    rows,
    ece:
      rows.reduce((sum, row) => sum + row.answers * Math.abs(row.expected - row.found), 0) /
      Math.max(1, answers.length),
    sure: { answers: sure.length, within: withinTenth(sure) },
    fullMarks: { answers: full.length, wrong: mean(full.map(({ person }) => (person < 0.5 ? 1 : 0))) },
  }
}

export function reliabilityTable(sets: { name: string; reliability: Reliability }[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const tenths = [...new Set(sets.flatMap(({ reliability }) => reliability.rows.map(({ from }) => from)))].sort()
  const cellOf = (reliability: Reliability, from: number) => {
    const row = reliability.rows.find((one) => one.from === from)
    return row ? `${row.answers}: ${row.expected.toFixed(2)} → ${row.found.toFixed(2)}` : ''
  }
  const share = ({ answers, part }: { answers: number; part: number }) =>
    answers > 0 ? `${(part * 100).toFixed(1)} % of ${answers}` : 'none'
  const all = sets.map(({ reliability }) => reliability)
  return [
    line(['confidence', ...sets.map(({ name }) => name)]),
    line(['---', ...sets.map(() => '---')]),
    ...tenths.map((from) =>
      line([`${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`, ...all.map((one) => cellOf(one, from))]),
    ),
    line(['expected calibration error', ...all.map(({ ece }) => ece.toFixed(3))]),
    line([
      '.9 and more: within a tenth',
      ...all.map(({ sure }) => share({ answers: sure.answers, part: sure.within })),
    ]),
    line([
      'full marks at .9 and more: wrong',
      ...all.map(({ fullMarks }) => share({ answers: fullMarks.answers, part: fullMarks.wrong })),
    ]),
  ].join('\n')
}
