import type { mongo } from 'mongoose'

/** Does nothing where the collection does not exist, or another process renames it at the same moment. */
export async function renameCollection(db: mongo.Db, from: string, to: string): Promise<void> {
  if ((await db.listCollections({ name: from }).toArray()).length === 0) return
  await db.renameCollection(from, to).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

const isNotFound = (error: unknown) => error instanceof Error && 'code' in error && error.code === 26

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
