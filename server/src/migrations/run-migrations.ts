import { setTimeout as after } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { DEAD_AFTER_MS, type ProcessRow } from '../cluster/processes/processes.ts'
import { databaseNow, ignoreDuplicateKey } from '../lib/database/database.ts'
import { withDatabaseLock } from '../lib/database/database-lock.ts'
import type { Log } from '../lib/log.ts'
import { hasEnded } from '../lib/machine.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { type Compatibility, isCompatible } from './migration.ts'
import { migrations } from './migrations.ts'

interface MigrationRow {
  _id: string
  at: Date
  /** Missing where a version before November 2026 ran it: then `none`. */
  compatible_with?: Compatibility
}

/**
 * Before any model creates its collection. @throws {OperatorError} if a newer version's change is incompatible, or an
 * older process that must end still works
 */
export async function runMigrations(db: mongo.Db, log: Pick<Log, 'info'> | null = null): Promise<void> {
  await withDatabaseLock('migrations', async (signal) => {
    const records = db.collection<MigrationRow>('migrations')
    const done = await records.find().toArray()
    const newer = done.filter(({ _id }) => !(_id in migrations))
    if (newer.some(({ compatible_with = 'none' }) => !isCompatible(compatible_with, (name) => name in migrations)))
      throw new OperatorError(
        'The database was written by a newer version of Assay. Install that version, or restore a backup made before it.',
      )
    if (newer.length > 0)
      log?.info({ migrations: newer.map(({ _id }) => _id) }, 'working on what a newer version has stored')
    const seen = new Set(done.map(({ _id }) => _id))
    const pending = Object.entries(migrations).filter(([name]) => !seen.has(name))
    const isNew = await hasNothingStored(db)
    if (!isNew)
      await awaitEndOfIncompatible(
        db,
        pending.map(([, { compatibleWith }]) => compatibleWith),
      )
    for (const [name, migration] of pending) {
      signal.throwIfAborted()
      if (!isNew) {
        log?.info({ migration: name }, 'changing what an earlier version stored')
        await migration.run(db, signal)
      }
      const row = { _id: name, at: new Date(), compatible_with: migration.compatibleWith }
      await records.insertOne(row).catch(ignoreDuplicateKey)
    }
  })
}

async function hasNothingStored(db: mongo.Db): Promise<boolean> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  return collections.every(({ name }) => name === 'locks' || name === 'migrations')
}

const LOOK_EVERY_MS = 500

const knowsOf = ({ last_migration }: ProcessRow) => {
  const names = Object.keys(migrations)
  const last = last_migration === undefined ? -1 : names.indexOf(last_migration)
  return (name: string) => names.indexOf(name) <= last
}

/** Processes on an unmigrated database are older versions. A killed one counts as dead only later. */
async function awaitEndOfIncompatible(db: mongo.Db, pending: Compatibility[]): Promise<void> {
  const seen = new Map<string, number>()
  while (pending.some((one) => one !== 'all')) {
    const now = await databaseNow()
    const others = (await db.collection<ProcessRow>('processes').find().toArray()).filter(
      (row) =>
        now.getTime() - row.seen_at.getTime() <= DEAD_AFTER_MS &&
        !hasEnded(row) &&
        pending.some((one) => !isCompatible(one, knowsOf(row))),
    )
    if (others.length === 0) return
    for (const { _id, machine, pid, seen_at } of others) {
      if ((seen.get(_id) ?? seen_at.getTime()) !== seen_at.getTime())
        throw new OperatorError(
          `An older version of Assay is running on this database (process ${pid} on ${machine.split(':')[0]}), and this version changes stored data in a way that the older one cannot read. Stop all of its processes first, then start this version.`,
        )
      seen.set(_id, seen_at.getTime())
    }
    await after(LOOK_EVERY_MS)
  }
}
