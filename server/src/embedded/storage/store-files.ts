import { join } from 'node:path'

/** SQLite keeps its write-ahead log (`-wal`) beside it. */
export function databaseFileIn(folder: string): string {
  return join(folder, 'data.sqlite')
}
