import type { mongo } from 'mongoose'

interface Before {
  _id: string
  begun?: number
  ended?: number
}

/** Changes of what statistics depend on were counted before and after each; now each one under way is listed, with its process. */
export async function countAnalyticsChanges(db: mongo.Db): Promise<void> {
  const changes = db.collection<Before>('analytics_changes')
  for (const { _id, begun = 0, ended = 0 } of await changes.find({ begun: { $exists: true } }).toArray()) {
    // What was under way counts as a change: its process has ended.
    const version = Math.max(begun, ended) + (begun === ended ? 0 : 1)
    await changes.updateOne({ _id }, { $set: { version, open: [] }, $unset: { begun: 1, ended: 1 } })
  }
}
