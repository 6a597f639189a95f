import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncToDisk } from '../../lib/storage/write-file.ts'
import { stampOf } from './backup-format.ts'

/** On the data folder's disk. */
export const STAGING = 'restore-unfinished'
/** The staging folder's names while old data moves in, and while its content moves out. */
const MOVING_ASIDE = 'restore-moving-aside'
const MOVING_IN = 'restore-moving-in'
export const COPY_OF_MONGODB = 'backup-unfinished'
const JOURNAL_OF_EARLIER = 'restore-in-progress.json'
const ASIDE = 'before-restore-'
/** The MongoDB's copy to mark as whole. */
export const COPY_ID = 'copy-in-mongodb'

/** @throws {OperatorError} if a restore was interrupted while putting files in place */
export function assertNotBeingRestored(dataDir: string): void {
  if (![MOVING_ASIDE, MOVING_IN, JOURNAL_OF_EARLIER].some((name) => existsSync(join(dataDir, name)))) return
  throw new OperatorError(
    `A restore into ${dataDir} was interrupted. Run npm run restore with the same backup: it finishes what is left to do.`,
  )
}

/** Without what a restore moved aside or a command left unfinished. */
export async function dataIn(dataDir: string): Promise<string[]> {
  const ours = ['lost+found', FOLDER_LOCK, STAGING, MOVING_ASIDE, COPY_OF_MONGODB]
  return (await readdir(dataDir)).sort().filter((name) => !ours.includes(name) && !name.startsWith(ASIDE))
}

/** @returns the folder of the old data, null if there was none */
export async function swapIn(dataDir: string, now: Date): Promise<string | null> {
  const old = await dataIn(dataDir)
  const aside = old.length > 0 ? ASIDE + stampOf(now) : null
  if (aside) await mkdir(join(dataDir, STAGING, aside), { mode: 0o700 })
  await syncToDisk(join(dataDir, STAGING))
  await rename(join(dataDir, STAGING), join(dataDir, MOVING_ASIDE))
  await syncToDisk(dataDir)
  await moveAside(dataDir)
  return aside && join(dataDir, aside)
}

async function moveAside(dataDir: string): Promise<void> {
  const moving = join(dataDir, MOVING_ASIDE)
  const aside = (await readdir(moving)).find((name) => name.startsWith(ASIDE))
  try {
    for (const name of aside ? await dataIn(dataDir) : []) {
      const away = join(moving, aside ?? '', name)
      // A refused start has made a new secret key after the old one was moved.
      if (!existsSync(away)) await rename(join(dataDir, name), away)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const away = join(moving, aside ?? '')
    for (const name of await readdir(away)) await rename(join(away, name), join(dataDir, name))
    await rename(moving, join(dataDir, STAGING))
    await rm(join(dataDir, STAGING), { recursive: true })
    throw new OperatorError(
      `The system refused to move a file or folder in ${dataDir} (${reason}). Nothing was changed. Where another disk is mounted in there, name an empty folder as DATA_DIR, and move the files afterwards.`,
      { cause },
    )
  }
  await rename(moving, join(dataDir, MOVING_IN))
  await syncToDisk(dataDir)
}

/** Idempotent. `markWhole` gets the copy's id if a MongoDB was filled. @returns false if there was nothing to finish */
export async function finishSwap(dataDir: string, markWhole: (copyId: string) => Promise<void>): Promise<boolean> {
  if (existsSync(join(dataDir, MOVING_ASIDE))) await moveAside(dataDir)
  const moving = join(dataDir, MOVING_IN)
  if (!existsSync(moving)) return false
  for (const name of await readdir(moving)) if (name !== COPY_ID) await rename(join(moving, name), join(dataDir, name))
  await syncToDisk(dataDir)
  if (existsSync(join(moving, COPY_ID))) await markWhole(readFileSync(join(moving, COPY_ID), 'utf8'))
  await rm(moving, { recursive: true })
  await syncToDisk(dataDir)
  return true
}

/** Deleting it would let two processes hold a lock of the same name. */
export const FOLDER_LOCK = 'data-folder.lock'

interface FolderLock {
  release(): void
}

/** The operating system holds the lock, so it ends with its owner. @throws {OperatorError} during a restore or move */
export function shareDataFolder(dataDir: string): FolderLock {
  const message = `A restore or a move is at work in ${dataDir}. Wait until it is done, then try again.`
  try {
    return lock(join(dataDir, FOLDER_LOCK), 'BEGIN; SELECT * FROM sqlite_schema', message)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    return { release() {} } // A disk without locks, where the papers of a server with a MongoDB may be.
  }
}

/** Another user's file could not be opened by the server. */
export function shareDataFolderIfLockable(dataDir: string): FolderLock {
  return existsSync(join(dataDir, FOLDER_LOCK)) ? shareDataFolder(dataDir) : { release() {} }
}

/** @throws {OperatorError} while another process uses it, or if it is another user's */
export function lockDataFolder(dataDir: string): FolderLock {
  const [owner, us] = [statSync(dataDir).uid, process.getuid?.()]
  // The server could not open what we create.
  if (us !== undefined && owner !== us)
    throw new OperatorError(`${dataDir} belongs to another user. Run this command as the user that Assay runs as.`)
  const message = `${dataDir} is in use by another running process: Assay, a backup, a restore or a move. Stop that one first.`
  return lock(join(dataDir, FOLDER_LOCK), 'BEGIN EXCLUSIVE', message)
}

function lock(path: string, sql: string, message: string): FolderLock {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // A journal on disk would be a second file.
    file.exec('PRAGMA journal_mode = MEMORY')
    file.exec(sql)
  } catch (cause) {
    file.close()
    if (isBusy(cause)) throw new OperatorError(message, { cause })
    throw cause
  }
  return { release: () => file.close() }
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5
