import { AnalyticsChangesModel } from './analytics.model.ts'

/** What statistics depend on: an assignment's released grades, or who is enrolled in a course. */
export type AnalyticsDependency = `assignment/${number}` | `course/${number}`

/**
 * Runs a change of what statistics depend on, and counts it before and after: statistics computed in the meantime are not
 * cached, and those cached before are not used again. Every write to releases and enrolments goes through here.
 */
export async function withInvalidation<T>(dependencies: AnalyticsDependency[], change: () => Promise<T>): Promise<T> {
  const ids = [...new Set(dependencies)]
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

/** A name for the current state of each dependency; null for one that is being changed. */
export async function dependencyStates(
  dependencies: AnalyticsDependency[],
): Promise<Map<AnalyticsDependency, number | null>> {
  const found = new Map(
    (await AnalyticsChangesModel.find({ _id: { $in: [...new Set(dependencies)] } }).lean()).map((doc) => [
      doc._id,
      doc,
    ]),
  )
  return new Map(
    dependencies.map((dependency) => {
      const { begun = 0, ended = 0 } = found.get(dependency) ?? {}
      return [dependency, begun === ended ? begun : null]
    }),
  )
}

/** At start: what a process that died was changing counts as changed. Until then its statistics are not cached. */
export async function recoverInterruptedChanges(): Promise<void> {
  const open = (await AnalyticsChangesModel.find().lean()).filter(({ begun, ended }) => begun !== ended)
  for (const { _id, begun, ended } of open) {
    const state = Math.max(begun, ended) + 1
    await AnalyticsChangesModel.updateOne({ _id, begun, ended }, { $set: { begun: state, ended: state } })
  }
}
