import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose, { type mongo } from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts'

interface StoredData {
  dataDir: string
  withDatabase(work: (db: mongo.Db) => Promise<void>): Promise<void>
}

export function useStoredData(): StoredData {
  const data: StoredData = {
    dataDir: '',
    async withDatabase(work) {
      const embedded = await startEmbeddedDatabase({ folder: join(data.dataDir, 'database'), log: () => {} })
      const connection = await mongoose.createConnection(embedded.url).asPromise()
      if (!connection.db) throw new Error('connected')
      await work(connection.db)
      await connection.close()
      await embedded.stop()
    },
  }
  beforeAll(async () => {
    data.dataDir = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
  })
  afterAll(() => rm(data.dataDir, { recursive: true, force: true }))
  return data
}

export async function searchDatabase(words: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const { db } = mongoose.connection
  if (!db) throw new Error('connected')
  for (const { name } of await db.listCollections().toArray()) {
    for await (const doc of db.collection(name).find()) {
      const text = JSON.stringify(doc)
      if (words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
        found[name] = [...(found[name] ?? []), text]
    }
  }
  return found
}
