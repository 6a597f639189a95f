import { munkres } from 'munkres'

export interface Option<Row, Column> {
  row: Row
  column: Column
  worth: number
}

/** Larger groups are not solved again for each option. */
const MOST_SOLVED_AGAIN = 40

/**
 * Munkres, 1957. Rows that compete for no column are solved separately, which is quicker.
 * `lead`: how much less the best assignment without it is worth.
 */
export function bestAssignment<Row, Column>(options: readonly Option<Row, Column>[]) {
  return groupsOf(options).flatMap((group) => {
    const best = solve(group)
    const total = worthOf(best)
    const rows = new Set(group.map(({ row }) => row)).size
    return best.map((one) => {
      const rest = group.filter((other) => other !== one)
      // As if nobody else wanted another column: a lower bound.
      const lead = rows > MOST_SOLVED_AGAIN ? nextBest(one, rest) : total - worthOf(solve(rest))
      return { ...one, lead }
    })
  })
}

function solve<Row, Column>(options: readonly Option<Row, Column>[]): Option<Row, Column>[] {
  const rows = [...new Set(options.map(({ row }) => row))]
  const columns = [...new Set(options.map(({ column }) => column))]
  if (rows.length === 0) return []
  const most = Math.max(...options.map(({ worth }) => worth))
  const byPlace = new Map(
    options.map((one) => [rows.indexOf(one.row) * columns.length + columns.indexOf(one.column), one]),
  )
  // A row may stay without a column, at no worth.
  const costs = rows.map((_, y) =>
    Array.from({ length: columns.length + rows.length }, (_cell, x) =>
      x < columns.length ? most - (byPlace.get(y * columns.length + x)?.worth ?? 0) : most,
    ),
  )
  return munkres(costs).flatMap(([y, x]) => (x < columns.length ? (byPlace.get(y * columns.length + x) ?? []) : []))
}

const worthOf = (options: readonly { worth: number }[]) => options.reduce((sum, { worth }) => sum + worth, 0)

function nextBest<Row, Column>(one: Option<Row, Column>, rest: readonly Option<Row, Column>[]): number {
  const rivals = rest.filter(({ row, column }) => row === one.row || column === one.column)
  return one.worth - Math.max(0, ...rivals.map(({ worth }) => worth))
}

function groupsOf<Row, Column>(options: readonly Option<Row, Column>[]): Option<Row, Column>[][] {
  const byRow = Map.groupBy(options, ({ row }) => row)
  const byColumn = Map.groupBy(options, ({ column }) => column)
  const seen = new Set<Row>()
  const groups: Option<Row, Column>[][] = []
  for (const start of byRow.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const group: Option<Row, Column>[] = []
    const open = [start]
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      for (const option of byRow.get(row) ?? []) {
        group.push(option)
        for (const { row: other } of byColumn.get(option.column) ?? []) {
          if (seen.has(other)) continue
          seen.add(other)
          open.push(other)
        }
      }
    }
    groups.push(group)
  }
  return groups
}
