import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { mongo } from 'mongoose'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { lockFolder } from '../../embedded/storage/folder-lock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import type { S3Location } from '../../lib/storage/s3-location.ts'
import { announceAgain } from '../retention/announce-again.ts'
import { HASH_OF_PAPER, type Manifest, OTHER_FOLDER, PAPERS_FOLDER } from './backup-format.ts'
import { copyChecked, syncFolder } from './checked-files.ts'
import { assertEmptyOrUnfinished, type Copied, copyDatabase, markWhole } from './copy-database.ts'
import { assertOwner } from './data-folder.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import type { DatabaseReader } from './database-reader.ts'
import { openS3Papers } from './paper-source.ts'
import { readBackup } from './read-backup.ts'
import { connectMongodb } from './read-mongodb.ts'
import { readSums } from './sums-file.ts'
import { dataIn, finishSwap, STAGING, swapIn } from './swap-in.ts'
import { assertFinished, verifyBackup } from './verify-backup.ts'

export interface RestoreOptions {
  backup: string
  dataDir: string
  /** Null for the embedded database. */
  mongodbUrl: string | null
  /** Null where papers are to be in the data folder. */
  filesLocation?: S3Location | null
  /** Moves what is in the data folder aside. */
  replace: boolean
  /** Migrations that this version of Assay knows. */
  knownMigrations: readonly string[]
  now: Date
  report: (line: string) => void
}

export interface Restored {
  manifest: Manifest
  database: Copied
  papers: number
  /** Where the old data is; null if there was none. */
  aside: string | null
}

/**
 * Restores a backup, after it was read whole, into a data folder that no Assay runs on. Everything is written and read back beside what is
 * there, and put in place at the end.
 * @returns null if what it did was to finish an earlier restore that was interrupted while it put the files in place
 * @throws {OperatorError}
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored | null> {
  const { backup, dataDir, report } = options
  assertFinished(backup)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  assertOwner(dataDir)
  const lock = lockDataFolder(dataDir)
  const unlockDatabase = lockIfThere(join(dataDir, 'database'))
  try {
    if (await finishSwap(dataDir, (copyId) => markRestored(options.mongodbUrl, copyId))) return null
    await assertEmpty(options)
    report('Reading the backup')
    const manifest = await verifyBackup(backup, report)
    assertKnownMigrations(manifest, options.knownMigrations)
    const { papers, database } = await stage(manifest, options)
    report('Putting it in place')
    // The papers first, so that no database that looks whole is without them.
    const copyId = options.mongodbUrl ? database.copyId : null
    const aside = await swapIn(dataDir, { now: options.now, copyId })
    await finishSwap(dataDir, (id) => markRestored(options.mongodbUrl, id))
    return { manifest, database, papers, aside }
  } finally {
    unlockDatabase()
    lock.release()
  }
}

/** A server of an earlier version locks its database alone. */
function lockIfThere(folder: string): () => void {
  return existsSync(folder) ? lockFolder(folder).release : () => {}
}

async function assertEmpty({ dataDir, mongodbUrl, replace }: RestoreOptions): Promise<void> {
  // A start that was refused has made a key. It is moved aside, too.
  const names = (await dataIn(dataDir)).filter((name) => name !== 'secret-key')
  if (names.length > 0 && !replace) {
    throw new OperatorError(
      `${dataDir} is not empty: it has ${names.join(', ')}. Name another folder as DATA_DIR, or add --replace, which moves what is there aside first.`,
    )
  }
  // Before hours of papers are written for nothing.
  if (mongodbUrl) await inMongodb(mongodbUrl, assertEmptyOrUnfinished)
}

/** Writes everything beside what is there. Leaves nothing where it fails. */
async function stage(
  manifest: Manifest,
  { backup, dataDir, mongodbUrl, filesLocation, now, report }: RestoreOptions,
): Promise<{ papers: number; database: Copied }> {
  const staging = join(dataDir, STAGING)
  const store = filesLocation ? await openS3Papers(filesLocation, dataDir) : null
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { mode: 0o700 })
  try {
    // What is restored is an installation of its own, also where it takes another's place.
    await store?.assertUnclaimed()
    report('Writing the papers')
    const papers = await restoreFiles(backup, { staging, store, report })
    report('Writing the database')
    const from = readBackup(backup, manifest)
    const database = mongodbUrl
      ? await copyToMongodb(from, mongodbUrl, now)
      : await copyToEmbedded(from, join(staging, 'database'), (db) => announceAgain(db, now))
    return { papers, database }
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  } finally {
    store?.close()
  }
}

async function markRestored(mongodbUrl: string | null, copyId: string): Promise<void> {
  if (!mongodbUrl) {
    throw new OperatorError(
      'The restore that was interrupted has filled a MongoDB. Set MONGODB_URL to its address, and run it again.',
    )
  }
  await inMongodb(mongodbUrl, (db) => markWhole(db, copyId))
}

function assertKnownMigrations({ migrations, assay }: Manifest, known: readonly string[]): void {
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new OperatorError(`The backup is of a newer version of Assay (${assay}). Install that one first.`)
}

interface Targets {
  staging: string
  /** Takes the papers, where it is not null. What nothing refers to in the end is swept. */
  store: FileStore | null
  report: (line: string) => void
}

/** Papers and other files; each is compared with its checksum as it is written. Returns how many papers. */
async function restoreFiles(backup: string, { staging, store, report }: Targets): Promise<number> {
  const folders = new Set<string>()
  let papers = 0
  for await (const { name, sha256 } of readSums(backup)) {
    const target = targetOf(name)
    if (target === null) continue
    const hash = store && name.startsWith(`${PAPERS_FOLDER}/`) ? HASH_OF_PAPER.exec(basename(name))?.[1] : undefined
    if (store && hash) {
      // The store takes content under its own hash alone.
      if (sha256 === hash) await store.store(join(backup, name), hash)
      else report(`${name} had changed before it was backed up, and is not restored.`)
    } else {
      const written = await copyChecked(join(backup, name), join(staging, target))
      if (written.sha256 !== sha256) throw new OperatorError(`${name} was not read as it is in the backup. Try again.`)
      folders.add(dirname(join(staging, target)))
    }
    if (name.startsWith(`${PAPERS_FOLDER}/`) && ++papers % 1000 === 0) report(`  ${papers} papers`)
  }
  for (const folder of folders) await syncFolder(folder)
  return papers
}

/** Where a file of a backup belongs in the data folder; null for what is not copied as it is. */
function targetOf(name: string): string | null {
  if (name.startsWith(`${PAPERS_FOLDER}/`)) return name
  return name.startsWith(`${OTHER_FOLDER}/`) ? name.slice(OTHER_FOLDER.length + 1) : null
}

async function inMongodb<T>(url: string, work: (db: mongo.Db) => Promise<T>): Promise<T> {
  const client = await connectMongodb(url)
  try {
    return await work(client.db())
  } finally {
    await client.close()
  }
}

/** Assay does not start on it before it is marked as whole. */
const copyToMongodb = (from: DatabaseReader, url: string, now: Date): Promise<Copied> =>
  inMongodb(url, async (db) => {
    const copied = await copyDatabase(from, db)
    await announceAgain(db, now)
    return copied
  })

type Change = (db: mongo.Db) => Promise<void>

/** @param change what else is to be done before Assay starts on it */
export const copyAllToMongodb = (from: DatabaseReader, url: string, change?: Change): Promise<Copied> =>
  inMongodb(url, async (db) => {
    const copied = await copyDatabase(from, db)
    await change?.(db)
    await markWhole(db, copied.copyId)
    return copied
  })

/** @param folder must not exist, or be of a copy that was interrupted */
export async function copyToEmbedded(from: DatabaseReader, folder: string, change?: Change): Promise<Copied> {
  const store = await startEmbeddedDatabase({ folder })
  try {
    return await copyAllToMongodb(from, store.url, change)
  } finally {
    await store.stop()
    // The next start makes its own.
    await rm(join(folder, 'socket'), { recursive: true, force: true })
    await syncFolder(folder)
  }
}
