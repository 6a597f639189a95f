import type { mongo } from 'mongoose'

/** Does nothing where the collection does not exist, or another process renames it at the same moment. */
export async function renameCollection(db: mongo.Db, from: string, to: string): Promise<void> {
  if ((await db.listCollections({ name: from }).toArray()).length === 0) return
  await db.renameCollection(from, to).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

const isNotFound = (error: unknown) => error instanceof Error && 'code' in error && error.code === 26
