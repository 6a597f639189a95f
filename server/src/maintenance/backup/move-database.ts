import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { mongo } from 'mongoose'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncToDisk } from '../../lib/storage/write-file.ts'
import { UNFINISHED } from './backup-format.ts'
import { type Copied, collectionNames, copyDatabase, inMongodb, inStore, markWhole } from './copy-database.ts'
import { assertNotBeingRestored, lockDataFolder } from './swap-in.ts'

/** Leaves the embedded database unchanged. @throws {OperatorError} also while Assay runs on it */
export async function moveToMongodb(dataDir: string, url: string): Promise<Copied> {
  const folder = join(dataDir, 'database')
  if (!existsSync(folder)) throw new OperatorError(`There is no embedded database in ${dataDir}.`)
  return inLocked(dataDir, () => inStore(folder, (from) => inMongodb(url, (to) => copyWhole(from, to))))
}

/** The new database appears once it is whole. @throws {OperatorError} also if there is one already */
export async function moveFromMongodb(dataDir: string, url: string): Promise<Copied> {
  const folder = join(dataDir, 'database')
  const unfinished = folder + UNFINISHED
  return inLocked(dataDir, async () => {
    if (existsSync(folder))
      throw new OperatorError(`There is an embedded database already, in ${folder}. Move that folder elsewhere first.`)
    await rm(unfinished, { recursive: true, force: true })
    try {
      const copied = await inMongodb(url, async (from) => {
        if ((await collectionNames(from)).length === 0)
          throw new OperatorError('That MongoDB database is empty. Does the address name the right one?')
        return inStore(unfinished, (to) => copyWhole(from, to))
      })
      await rename(unfinished, folder)
      await syncToDisk(dataDir)
      return copied
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  })
}

async function copyWhole(from: mongo.Db, to: mongo.Db): Promise<Copied> {
  const copied = await copyDatabase(from, to)
  await markWhole(to, copied.copyId)
  return copied
}

/** Also refuses an interrupted restore. */
async function inLocked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = lockDataFolder(dataDir)
  try {
    assertNotBeingRestored(dataDir)
    return await work()
  } finally {
    lock.release()
  }
}
