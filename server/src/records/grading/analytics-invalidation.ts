import { AnalyticsChangesModel } from './analytics.model.ts'

/** What figures rest on: an assignment's released grades, or who is enrolled in a course. */
export type AnalyticsDependency = `assignment/${number}` | `course/${number}`

/**
 * Runs a change of what figures rest on. Counted before and after: figures made meanwhile are not kept, and those kept
 * before are not used again. Every write to the releases and to the enrolments goes through here.
 */
export async function withInvalidation<T>(grounds: AnalyticsDependency[], change: () => Promise<T>): Promise<T> {
  const ids = [...new Set(grounds)]
  await incrementCounters(ids, 'begun')
  try {
    return await change()
  } finally {
    await incrementCounters(ids, 'ended')
  }
}

async function incrementCounters(ids: AnalyticsDependency[], what: 'begun' | 'ended'): Promise<void> {
  if (ids.length === 0) return
  await AnalyticsChangesModel.bulkWrite(
    ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { [what]: 1 } }, upsert: true } })),
    { ordered: false },
  )
}

/** A name for the state each ground is in now; null for one that is being changed. */
export async function dependencyStates(
  grounds: AnalyticsDependency[],
): Promise<Map<AnalyticsDependency, number | null>> {
  const found = new Map(
    (await AnalyticsChangesModel.find({ _id: { $in: [...new Set(grounds)] } }).lean()).map((doc) => [doc._id, doc]),
  )
  return new Map(
    grounds.map((ground) => {
      const { begun = 0, ended = 0 } = found.get(ground) ?? {}
      return [ground, begun === ended ? begun : null]
    }),
  )
}

/**
 * At start: what a process that died was changing counts as changed, once more. Until then its figures are made afresh for
 * everyone who asks.
 */
export async function recoverInterruptedChanges(): Promise<void> {
  const open = (await AnalyticsChangesModel.find().lean()).filter(({ begun, ended }) => begun !== ended)
  for (const { _id, begun, ended } of open) {
    const state = Math.max(begun, ended) + 1
    await AnalyticsChangesModel.updateOne({ _id, begun, ended }, { $set: { begun: state, ended: state } })
  }
}
