import type { mongo } from 'mongoose'
import { hasCode } from '../lib/has-code.ts'

/**
 * Which programs that do not know a migration may run beside and after it. `all`: it only adds. `knowing`: those that
 * know an earlier one and no longer use what this removes. `none`: they would misread or damage data.
 */
export type Compatibility = 'all' | 'none' | { knowing: string }

export interface Migration {
  compatibleWith: Compatibility
  /** May run twice: a process may die before the run is recorded. */
  run(db: mongo.Db, signal: AbortSignal): Promise<void>
}

export function isCompatible(compatibleWith: Compatibility, knows: (name: string) => boolean): boolean {
  if (typeof compatibleWith === 'object') return knows(compatibleWith.knowing)
  return compatibleWith === 'all'
}

const BATCH = 500

/** An interrupted run continues, so a changed document must not match again. */
export async function updateInBatches<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
  change: (document: mongo.WithId<T>) => mongo.Document,
  signal: AbortSignal,
): Promise<void> {
  let after: mongo.Filter<T> = {}
  for (;;) {
    signal.throwIfAborted()
    const found = await collection
      .find({ $and: [filter, after] } as mongo.Filter<T>)
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray()
    const last = found.at(-1)
    if (!last) return
    const updates = found.map((one) => ({
      // Skips a document changed or deleted since it was read.
      updateOne: {
        filter: { $and: [filter, { _id: one._id }] } as mongo.Filter<T>,
        update: change(one) as mongo.UpdateFilter<T>,
      },
    }))
    await collection.bulkWrite(updates, { ordered: false })
    after = { _id: { $gt: last._id } } as mongo.Filter<T>
  }
}

export async function renameCollection(db: mongo.Db, from: string, to: string): Promise<void> {
  if ((await db.listCollections({ name: from }).toArray()).length === 0) return
  await db.renameCollection(from, to).catch((error: unknown) => {
    // Not found: another process has renamed it.
    if (!hasCode(error, 26)) throw error
  })
}

interface RenamedField {
  collection: string
  from: string
  to: string
}

export async function renameFields(db: mongo.Db, fields: RenamedField[]): Promise<void> {
  for (const { collection, from, to } of fields)
    await db.collection(collection).updateMany({ [from]: { $exists: true } }, { $rename: { [from]: to } })
}

export async function renameCounter(db: mongo.Db, from: string, to: string): Promise<void> {
  const counters = db.collection<{ _id: string; value: number }>('counters')
  const old = await counters.findOne({ _id: from })
  if (!old) return
  await counters.updateOne({ _id: to }, { $max: { value: old.value } }, { upsert: true })
  await counters.deleteOne({ _id: from })
}

/** A queued job's id begins with its name. */
export async function renameJobs(db: mongo.Db, from: string, to: string): Promise<void> {
  const rows = db.collection<{ _id: string }>('jobs')
  for (const row of await rows.find({ name: from }).toArray()) {
    const _id = `${to}${row._id.slice(from.length)}`
    await rows.replaceOne({ _id }, { ...row, _id, name: to }, { upsert: true })
    await rows.deleteOne({ _id: row._id })
  }
  await db.collection('failed_jobs').updateMany({ name: from }, { $set: { name: to } })
}
