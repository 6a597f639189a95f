import { parse } from 'csv-parse/sync'

export const rowsOf = (csv: string): string[] =>
  parse(csv, { bom: true, relax_column_count: true }).map((cells: string[]) => cells.join(','))
