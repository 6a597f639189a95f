import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../lib/operator-error.ts'

/** Never deleted: otherwise two processes could hold a lock of the same name. */
export const FOLDER_LOCK = 'data-folder.lock'

interface FolderLock {
  release(): void
}

/**
 * Servers and backups share the folder unless `lockDataFolder` has it. The operating system holds the lock on an empty
 * SQLite file, so it ends with its owner, killed or not.
 * @throws {OperatorError} during a restore or move
 */
export function shareDataFolder(dataDir: string): FolderLock {
  const message = `A restore or a move is at work in ${dataDir}. Wait until it is done, then try again.`
  try {
    return lock(join(dataDir, FOLDER_LOCK), 'BEGIN; SELECT * FROM sqlite_schema', message)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    return { release() {} } // A disk without locks, where the papers of a server with a MongoDB may be.
  }
}

/** For readers, perhaps another user: never creates the file, which the server could not open then. */
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
    // Nothing is written; a journal on disk would be a second file.
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
