import { ChangesModel } from './analytics.model.ts'

/** What figures rest on: an assignment's released grades, or who is enrolled in a course. */
export type Ground = `assignment/${number}` | `course/${number}`

/**
 * Runs a change of what figures rest on. Counted before and after: figures made meanwhile are not kept, and those kept
 * before are not used again. Every write to the releases and to the enrolments goes through here.
 */
export async function whileChanging<T>(grounds: Ground[], change: () => Promise<T>): Promise<T> {
  const ids = [...new Set(grounds)]
  await count(ids, 'begun')
  try {
    return await change()
  } finally {
    await count(ids, 'ended')
  }
}

async function count(ids: Ground[], what: 'begun' | 'ended'): Promise<void> {
  if (ids.length === 0) return
  await ChangesModel.bulkWrite(
    ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { [what]: 1 } }, upsert: true } })),
    { ordered: false },
  )
}

/** A name for the state each ground is in now; null for one that is being changed. */
export async function statesOf(grounds: Ground[]): Promise<Map<Ground, number | null>> {
  const found = new Map(
    (await ChangesModel.find({ _id: { $in: [...new Set(grounds)] } }).lean()).map((doc) => [doc._id, doc]),
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
export async function settleChanges(): Promise<void> {
  const open = (await ChangesModel.find().lean()).filter(({ begun, ended }) => begun !== ended)
  for (const { _id, begun, ended } of open) {
    const state = Math.max(begun, ended) + 1
    await ChangesModel.updateOne({ _id, begun, ended }, { $set: { begun: state, ended: state } })
  }
}
