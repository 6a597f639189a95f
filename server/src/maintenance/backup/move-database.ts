import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '../../embedded/storage/folder-lock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { UNFINISHED } from './backup-format.ts'
import { syncFolder } from './checked-files.ts'
import type { Copied } from './copy-database.ts'
import { assertOwner } from './data-folder.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { readEmbedded } from './read-embedded.ts'
import { readMongodb } from './read-mongodb.ts'
import { copyAllToMongodb, copyToEmbedded } from './restore-backup.ts'
import { assertNotBeingRestored } from './swap-in.ts'

/**
 * Copies the embedded database into an empty MongoDB. It is locked meanwhile, and stays as it is.
 * @throws {OperatorError | OpenFailure} also while Assay runs on it
 */
export async function moveToMongodb(dataDir: string, url: string): Promise<Copied> {
  const folder = join(dataDir, 'database')
  if (!existsSync(folder)) throw new OperatorError(`There is no embedded database in ${dataDir}.`)
  assertOwner(folder)
  return inLocked(dataDir, async () => {
    // A server of an earlier version locks its database alone.
    const lock = lockFolder(folder)
    try {
      const from = readEmbedded(folder)
      return await copyAllToMongodb(from, url).finally(from.close)
    } finally {
      lock.release()
    }
  })
}

/**
 * Copies a MongoDB into a new embedded database, which appears once it is whole.
 * @throws {OperatorError} also if there is an embedded database
 */
export async function moveFromMongodb(url: string, dataDir: string): Promise<Copied & { oneMoment: boolean }> {
  const folder = join(dataDir, 'database')
  assertOwner(dataDir)
  return inLocked(dataDir, async () => {
    if (existsSync(folder)) {
      throw new OperatorError(`There is an embedded database already, in ${folder}. Move that folder elsewhere first.`)
    }
    const unfinished = folder + UNFINISHED
    await rm(unfinished, { recursive: true, force: true })
    const from = await readMongodb(url)
    if (from.collections.length === 0) {
      await from.close()
      throw new OperatorError('That MongoDB database is empty. Does the address name the right one?')
    }
    try {
      const copied = await copyToEmbedded(from, unfinished).finally(from.close)
      await rename(unfinished, folder)
      await syncFolder(dataDir)
      return { ...copied, oneMoment: from.oneMoment }
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  })
}

/** Nobody else uses the data folder meanwhile, and no restore was interrupted in it. */
async function inLocked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = lockDataFolder(dataDir)
  try {
    assertNotBeingRestored(dataDir)
    return await work()
  } finally {
    lock.release()
  }
}
