import type { mongo } from 'mongoose'

/**
 * Which programs that do not know a migration may work while it runs, and on what it leaves. `all`: it only adds what they ignore.
 * `knowing`: those that know an earlier migration, since they no longer use what this one removes. `none`: they would read or store
 * something wrong.
 */
export type Compatibility = 'all' | 'none' | { knowing: string }

/** A change to stored data, for a database that an earlier version wrote. */
export interface Migration {
  compatibleWith: Compatibility
  /**
   * It must tolerate running twice: a process may die before its run is recorded.
   * @param signal aborts where another process may have begun with it
   */
  run(db: mongo.Db, signal: AbortSignal): Promise<void>
}

/** Whether a program that does not know a migration may work beside it. */
export function isCompatible(compatibleWith: Compatibility, knows: (name: string) => boolean): boolean {
  if (typeof compatibleWith === 'object') return knows(compatibleWith.knowing)
  return compatibleWith === 'all'
}

const BATCH = 500

/**
 * Changes what a filter finds, some hundred documents at a time, so that one that was interrupted goes on where it was. What was changed
 * must not be found again.
 * @param change the update of one document
 */
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
      // Not one that was changed or deleted since it was read.
      updateOne: {
        filter: { $and: [filter, { _id: one._id }] } as mongo.Filter<T>,
        update: change(one) as mongo.UpdateFilter<T>,
      },
    }))
    await collection.bulkWrite(updates, { ordered: false })
    after = { _id: { $gt: last._id } } as mongo.Filter<T>
  }
}
