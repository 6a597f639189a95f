import { join } from 'node:path'
import type { DatabaseReader } from './database-reader.ts'
import { readEmbedded } from './read-embedded.ts'
import { readMongodb } from './read-mongodb.ts'

/** The database Assay is set to use, also while it runs. */
export async function openDatabaseReader({
  mongodbUrl,
  dataDir,
}: {
  /** Null for the embedded database. */
  mongodbUrl: string | null
  dataDir: string
}): Promise<DatabaseReader> {
  return mongodbUrl ? readMongodb(mongodbUrl) : readEmbedded(join(dataDir, 'database'))
}
