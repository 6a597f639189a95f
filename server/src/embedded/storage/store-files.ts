import { join } from 'node:path'

/** Of a store in `folder`. SQLite keeps its write-ahead log (`-wal`) beside it. */
export function databaseFileIn(folder: string): string {
  return join(folder, 'data.sqlite')
}
