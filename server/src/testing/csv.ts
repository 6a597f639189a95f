import { parse } from 'csv-parse/sync'

/** The cells of each row of a CSV with quoted cells, joined by commas. */
export const rowsOf = (csv: string): string[] =>
  parse(csv, { bom: true, relax_column_count: true }).map((cells: string[]) => cells.join(','))
