import { randomUUID } from 'node:crypto'
import { abandonedOf, currentProcessId } from '../../cluster/processes/processes.ts'
import { AnalyticsChangesModel } from './analytics.model.ts'

/** An assignment's released grades, or who is enrolled in a course. */
export type AnalyticsDependency = `assignment/${number}` | `course/${number}`

/** Every write to releases and enrolments needs it: counting before and after keeps stale statistics from use. */
export async function withInvalidation<T>(dependencies: AnalyticsDependency[], change: () => Promise<T>): Promise<T> {
  const ids = [...new Set(dependencies)]
  const open = { id: randomUUID(), process: currentProcessId() }
  await count(ids, { $push: { open } })
  try {
    return await change()
  } finally {
    await count(ids, { $pull: { open: { id: open.id } } })
  }
}

async function count(ids: AnalyticsDependency[], update: Record<string, object>): Promise<void> {
  if (ids.length === 0) return
  await AnalyticsChangesModel.bulkWrite(
    ids.map((_id) => ({ updateOne: { filter: { _id }, update: { ...update, $inc: { version: 1 } }, upsert: true } })),
    { ordered: false },
  )
}

export async function dependencyStates(dependencies: AnalyticsDependency[]) {
  const found = new Map(
    (await AnalyticsChangesModel.find({ _id: { $in: [...new Set(dependencies)] } }).lean()).map((doc) => [
      doc._id,
      doc,
    ]),
  )
  return new Map(
    dependencies.map((dependency) => {
      const { version = 0, open = [] } = found.get(dependency) ?? {}
      return [dependency, open.length === 0 ? version : null]
    }),
  )
}

/** Changes of dead processes count as done; until then nothing is cached. */
export async function recoverInterruptedChanges(): Promise<void> {
  const changed = await AnalyticsChangesModel.find({ 'open.0': { $exists: true } }).lean()
  const underWay = changed.flatMap(({ _id, open }) => open.map((one) => ({ _id, ...one })))
  for (const { _id, id } of await abandonedOf(underWay, ({ process }) => process))
    await AnalyticsChangesModel.updateOne({ _id, 'open.id': id }, { $pull: { open: { id } }, $inc: { version: 1 } })
}
