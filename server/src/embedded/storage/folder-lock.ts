import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCodeOf } from '../mongo-error.ts'
import { BUSY, OpenFailure } from './open-failure.ts'

/** The operating system holds the lock on an empty SQLite file, so it is released even if its owner is killed. */
export function lockFolder(folder: string): { release(): void } {
  const pidFile = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (sqliteCodeOf(cause) !== BUSY) throw cause
    throw new OpenFailure(
      'in_use',
      `The database in ${folder} is in use by another running process${describeOwner(pidFile)}. Stop that one first.`,
      { cause },
    )
  }
  writePid(pidFile)
  return {
    release() {
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function describeOwner(pidFile: string): string {
  try {
    return ` (pid ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}

function writePid(pidFile: string): void {
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // Only for people to read; a full disk is reported by later writes.
  }
}

/** SQLite keeps its write-ahead log (`-wal`) beside it. */
export function databaseFileIn(folder: string): string {
  return join(folder, 'data.sqlite')
}
