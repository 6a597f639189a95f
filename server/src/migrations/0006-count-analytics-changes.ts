import type { mongo } from 'mongoose'
import { updateInBatches } from './migration.ts'

/** From counts before and after to a list of changes under way. */
export async function countAnalyticsChanges(db: mongo.Db, signal: AbortSignal): Promise<void> {
  await updateInBatches(
    db.collection<{ _id: string; begun?: number; ended?: number }>('analytics_changes'),
    { begun: { $exists: true } },
    ({ begun = 0, ended = 0 }) => {
      // Unfinished work counts as a change: its process has ended.
      const version = Math.max(begun, ended) + (begun === ended ? 0 : 1)
      return { $set: { version, open: [] }, $unset: { begun: 1, ended: 1 } }
    },
    signal,
  )
}
