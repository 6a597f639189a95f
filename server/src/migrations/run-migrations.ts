import { setTimeout as after } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { databaseNow, isDuplicateKeyError } from '../lib/database/database.ts'
import { withDatabaseLock } from '../lib/database/database-lock.ts'
import type { Log } from '../lib/log.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { hasEnded } from '../lib/processes/machine.ts'
import { DEAD_AFTER_MS, type ProcessRow } from '../lib/processes/process.model.ts'
import { renameLtiCollections } from './0001-rename-lti-collections.ts'
import { renameLlmRecords } from './0002-rename-llm-records.ts'
import { renameLlmCallError } from './0003-rename-llm-call-error.ts'
import { renameRubricGenerations } from './0004-rename-rubric-generations.ts'
import { separateLtiIdentities } from './0005-separate-lti-identities.ts'
import { countAnalyticsChanges } from './0006-count-analytics-changes.ts'

/**
 * A change to stored data, for a database that an earlier version wrote. It must tolerate running twice: a process may
 * die before its run is recorded.
 */
type Migration = (db: mongo.Db) => Promise<void>

/** By the name they are recorded under, in the order they run. Never renamed, reordered or removed. */
const migrations: Record<string, Migration> = {
  '0001-rename-lti-collections': renameLtiCollections,
  '0002-rename-llm-records': renameLlmRecords,
  '0003-rename-llm-call-error': renameLlmCallError,
  '0004-rename-rubric-generations': renameRubricGenerations,
  '0005-separate-lti-identities': separateLtiIdentities,
  '0006-count-analytics-changes': countAnalyticsChanges,
}

/** In the order they run. */
export const migrationNames = Object.keys(migrations)

/**
 * Runs what this database has not seen yet, in one process at a time. Before any model creates its collection.
 * @throws {OperatorError} where a newer version has written the database, or an older one still works on it
 */
export async function runMigrations(db: mongo.Db, log: Pick<Log, 'info'> | null = null): Promise<void> {
  await withDatabaseLock('migrations', async (signal) => {
    const records = db.collection<{ _id: string; at: Date }>('migrations')
    const done = new Set((await records.find().toArray()).map(({ _id }) => _id))
    if ([...done].some((name) => !(name in migrations)))
      throw new OperatorError(
        'The database was written by a newer version of Assay. Install that version, or restore a backup made before it.',
      )
    const pending = Object.entries(migrations).filter(([name]) => !done.has(name))
    if (pending.length > 0) await awaitEndOfOlder(db)
    for (const [name, migrate] of pending) {
      signal.throwIfAborted()
      log?.info({ migration: name }, 'changing what an earlier version stored')
      await migrate(db)
      await records.insertOne({ _id: name, at: new Date() }).catch((error: unknown) => {
        if (!isDuplicateKeyError(error)) throw error
      })
    }
  })
}

const LOOK_EVERY_MS = 500

/** Who works on a database that is still to be changed is of an older version. One that was killed is waited for, until it counts as dead. */
async function awaitEndOfOlder(db: mongo.Db): Promise<void> {
  const seen = new Map<string, number>()
  for (;;) {
    const now = await databaseNow()
    const others = (await db.collection<ProcessRow>('processes').find().toArray()).filter(
      (row) => now.getTime() - row.seen_at.getTime() <= DEAD_AFTER_MS && !hasEnded(row),
    )
    if (others.length === 0) return
    for (const { _id, machine, pid, seen_at } of others) {
      if ((seen.get(_id) ?? seen_at.getTime()) !== seen_at.getTime())
        throw new OperatorError(
          `An older version of Assay is running on this database (process ${pid} on ${machine.split(':')[0]}). Stop all of its processes first, then start this version.`,
        )
      seen.set(_id, seen_at.getTime())
    }
    await after(LOOK_EVERY_MS)
  }
}
