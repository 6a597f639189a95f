import type { mongo } from 'mongoose'
import { isDuplicateKeyError } from '../lib/database/database.ts'
import { renameLtiCollections } from './0001-rename-lti-collections.ts'
import { renameLlmRecords } from './0002-rename-llm-records.ts'
import { renameLlmCallError } from './0003-rename-llm-call-error.ts'
import { renameRubricGenerations } from './0004-rename-rubric-generations.ts'
import { separateLtiIdentities } from './0005-separate-lti-identities.ts'

/**
 * A change to stored data, for a database that an earlier version wrote. It must tolerate running twice: two processes may start at
 * once, and one may die before its run is recorded.
 */
type Migration = (db: mongo.Db) => Promise<void>

/** By the name they are recorded under, in the order they run. Never renamed, reordered or removed. */
const migrations: Record<string, Migration> = {
  '0001-rename-lti-collections': renameLtiCollections,
  '0002-rename-llm-records': renameLlmRecords,
  '0003-rename-llm-call-error': renameLlmCallError,
  '0004-rename-rubric-generations': renameRubricGenerations,
  '0005-separate-lti-identities': separateLtiIdentities,
}

/** In the order they run. */
export const migrationNames = Object.keys(migrations)

/** Runs what this database has not seen yet. Before any model creates its collection. */
export async function runMigrations(db: mongo.Db): Promise<void> {
  const records = db.collection<{ _id: string; at: Date }>('migrations')
  const done = new Set((await records.find().toArray()).map(({ _id }) => _id))
  for (const [name, migrate] of Object.entries(migrations)) {
    if (done.has(name)) continue
    await migrate(db)
    await records.insertOne({ _id: name, at: new Date() }).catch((error: unknown) => {
      if (!isDuplicateKeyError(error)) throw error
    })
  }
}
