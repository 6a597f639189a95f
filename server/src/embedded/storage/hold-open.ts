import { DatabaseSync } from 'node:sqlite'
import { databaseFileIn } from './store-files.ts'

/**
 * Keeps SQLite from moving the write-ahead log into the main file behind our back. It does so when the last connection closes, and when a
 * process exits or a worker is terminated, Node closes a worker's connections without asking us. The connection held here is not the
 * worker's, and as it only reads, closing it moves nothing.
 */
export function holdOpen(folder: string): { release(): void } {
  const db = new DatabaseSync(databaseFileIn(folder), { readOnly: true, timeout: 0 })
  // The file is locked from the first read on.
  db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
  return { release: () => db.close() }
}
