import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decode } from '../bson-values.ts'
import { writeFirstSums } from './checkpointer.ts'
import { lockFolder } from './folder-lock.ts'
import { OpenFailure } from './open-failure.ts'
import { databaseFileIn, type StoreFiles, sizeOf, storeFilesOf } from './store-files.ts'
import { verifyStore } from './verify-store.ts'

interface StoreCheck {
  /** What a start would refuse it for; undefined if it would not. */
  refusal: string | undefined
  /** What SQLite finds wrong with the structure of the file and its log. */
  unsound: string | undefined
  /** Documents that can be read, and that cannot. */
  readable: number
  unreadable: number
}

/** Checks the store in `folder` and everything in it, on a copy, and changes nothing. Throws OpenFailure if another process uses it. */
export function checkStore(folder: string): StoreCheck {
  const files = storeFilesOf(databaseFileIn(folder))
  const owner = lockFolder(folder)
  // On the disk that had room for the original; the system's folder may be in memory.
  const copies = mkdtempSync(join(folder, 'check-'))
  try {
    const refusal = refusalOf(files)
    if (!sizeOf(files.main)) return { refusal, unsound: 'it is missing or empty', readable: 0, unreadable: 0 }
    const copy = storeFilesOf(databaseFileIn(copies))
    copyFileSync(files.main, copy.main)
    if (existsSync(files.wal)) copyFileSync(files.wal, copy.wal)
    return { refusal, ...readEverything(copy.main) }
  } finally {
    rmSync(copies, { recursive: true })
    owner.release()
  }
}

/** Goes on with what can be read: makes checksums for the file as it is, with what is in its log. Only after a `checkStore` that found it sound. */
export function acceptStore(folder: string): void {
  const files = storeFilesOf(databaseFileIn(folder))
  const owner = lockFolder(folder)
  try {
    // Closing the only connection moves the log into the file.
    readEverything(files.main)
    writeFirstSums(files, true)
  } finally {
    owner.release()
  }
}

function refusalOf(files: StoreFiles): string | undefined {
  try {
    verifyStore(files)
    return undefined
  } catch (error) {
    if (error instanceof OpenFailure) return error.message
    throw error
  }
}

function readEverything(file: string): Omit<StoreCheck, 'refusal'> {
  const db = new DatabaseSync(file)
  let readable = 0
  let unreadable = 0
  try {
    const result = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'documents_*'").all()
    for (const { name } of tables) {
      for (const { doc } of db.prepare(`SELECT doc FROM ${String(name)}`).iterate()) {
        if (doc instanceof Uint8Array && decodes(doc)) readable++
        else unreadable++
      }
    }
    return { unsound: result === 'ok' ? undefined : result, readable, unreadable }
  } catch (error) {
    return { unsound: error instanceof Error ? error.message : String(error), readable, unreadable }
  } finally {
    db.close()
  }
}

function decodes(doc: Uint8Array): boolean {
  try {
    decode(doc)
    return true
  } catch {
    return false
  }
}
