import { DATABASE } from '../../embedded/embedded-database.ts'
import { openSnapshot } from '../../embedded/storage/read-snapshot.ts'
import type { DatabaseReader } from './database-reader.ts'

/**
 * Reads the embedded database at one moment, also while Assay runs on it.
 * @param folder its own folder, not the data folder
 * @throws {OpenFailure}
 */
export function readEmbedded(folder: string): DatabaseReader {
  const { collections, documents, close } = openSnapshot(folder, DATABASE)
  return { collections, documents, oneMoment: true, close: async () => close() }
}
