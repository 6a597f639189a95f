import { lstatSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import type { S3Location } from '../../lib/storage/s3-location.ts'
import { version } from '../../lib/version.ts'
import { CLIENT_FILES } from '../../records/system/client-file.model.ts'
import { INSTALLATIONS } from '../../records/system/installation.model.ts'
import {
  checkOfSecret,
  FORMAT,
  MANIFEST,
  type Manifest,
  OTHER_FILES,
  OTHER_FOLDER,
  UNFINISHED,
} from './backup-format.ts'
import { hasCode, syncFolder } from './checked-files.ts'
import { isWithin, namesIn } from './data-folder.ts'
import { shareDataFolderIfLockable } from './data-folder-lock.ts'
import type { DatabaseReader } from './database-reader.ts'
import { openDatabaseReader } from './open-database-reader.ts'
import { openPaperSource } from './paper-source.ts'
import { SumsFile } from './sums-file.ts'
import { assertNotBeingRestored } from './swap-in.ts'
import { verifyBackup } from './verify-backup.ts'
import { migrationsSeen, writeDatabase } from './write-database.ts'
import { PaperCopy } from './write-papers.ts'

export interface BackupOptions {
  dataDir: string
  /** Null for the embedded database. */
  mongodbUrl: string | null
  /** Null where papers are in the data folder. */
  filesLocation?: S3Location | null
  secretKey: string | null
  /** The folder that gets the backup as a new folder. */
  into: string
  now: Date
  report: (line: string) => void
  /** Aborted when the process is told to end. */
  signal?: AbortSignal
}

export interface Backup {
  folder: string
  manifest: Manifest
}

/**
 * Writes a backup, also while Assay runs: into a folder whose name says that it is unfinished, which is renamed once it was read back.
 * @throws {OperatorError}
 */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const folder = join(options.into, `assay-${options.now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`)
  const unfinished = folder + UNFINISHED
  assertNotBeingRestored(options.dataDir)
  const lock = shareDataFolderIfLockable(options.dataDir)
  try {
    await assertSomethingThere(options)
    await makeFolder(options, folder, unfinished)
    return await writeInto(folder, unfinished, options)
  } finally {
    lock.release()
  }
}

/** Before hours of papers are copied for nothing. */
async function assertSomethingThere(options: BackupOptions): Promise<void> {
  const database = await openDatabaseReader(options)
  await database.close()
  if (database.collections.length > 0) return
  throw new OperatorError(
    `The database is empty. Does ${options.mongodbUrl ? 'MONGODB_URL' : 'DATA_DIR'} name the right one?`,
  )
}

async function writeInto(folder: string, unfinished: string, options: BackupOptions): Promise<Backup> {
  try {
    await fill(unfinished, options)
    options.report('Reading it back')
    const manifest = await verifyBackup(unfinished, () => {})
    options.signal?.throwIfAborted()
    await rename(unfinished, folder)
    await syncFolder(options.into)
    return { folder, manifest }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function makeFolder({ dataDir, into, report }: BackupOptions, folder: string, unfinished: string) {
  if (isWithin(into, dataDir)) {
    throw new OperatorError(`${into} is inside the data folder. Choose a folder outside of it, best on another disk.`)
  }
  try {
    await mkdir(into, { mode: 0o700 })
    await syncFolder(dirname(into))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new OperatorError(`${dirname(into)} does not exist. Is the disk mounted?`)
    if (!hasCode(error, 'EEXIST')) throw error
  }
  if (!lstatSync(into, { throwIfNoEntry: false })) throw new OperatorError(`${into} leads nowhere.`)
  const names = await readdir(into)
  for (const name of names.filter((other) => other.startsWith('assay-') && other.endsWith(UNFINISHED))) {
    report(
      `${join(into, name)} is a backup that was interrupted, or is being written. If it was interrupted, delete it.`,
    )
  }
  if (names.some((name) => join(into, name) === folder)) throw new OperatorError(`${folder} exists already.`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new OperatorError(`${folder} is being written by another backup.`)
    throw error
  }
}

async function fill(backup: string, options: BackupOptions) {
  const { dataDir, mongodbUrl, filesLocation = null, secretKey, now, report, signal } = options
  const source = await openPaperSource(dataDir, filesLocation)
  const sums = await SumsFile.create(backup, signal)
  try {
    const papers = new PaperCopy(source, backup, sums, report)
    report('Copying the papers')
    await papers.copyAll()
    report('Copying the database')
    const database = withoutOwn(await openDatabaseReader({ mongodbUrl, dataDir }))
    const read = async () => ({
      collections: await writeDatabase(database, backup, sums),
      migrations: await migrationsSeen(database),
      one_moment: database.oneMoment,
    })
    const written = await read().finally(database.close)
    await papers.copyReferenced()
    await copyOtherFiles(dataDir, backup, sums)
    const manifest: Manifest = {
      format: FORMAT,
      assay: version,
      made_at: now.toISOString(),
      ...written,
      papers: papers.counts,
      secret_key_check: secretKey === null ? null : checkOfSecret(secretKey),
      files: sums.files + 1,
    }
    await sums.writeText(join(backup, MANIFEST), MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
    await sums.close()
  } catch (error) {
    await sums.abandon()
    throw error
  } finally {
    source.close()
  }
  for (const entry of await readdir(backup, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  }
  await syncFolder(backup)
}

/** What is of this installation, or of its program. */
const withoutOwn = (reader: DatabaseReader): DatabaseReader => ({
  ...reader,
  collections: reader.collections.filter(({ name }) => name !== INSTALLATIONS && name !== CLIENT_FILES),
})

/** The secret key, where Assay made it, the first password, and mail that waits in the outbox. */
async function copyOtherFiles(dataDir: string, backup: string, sums: SumsFile): Promise<void> {
  for (const name of OTHER_FILES) {
    const found = statSync(join(dataDir, name), { throwIfNoEntry: false })
    const names = found?.isDirectory()
      ? (await namesIn(join(dataDir, name))).map((inner) => `${name}/${inner}`)
      : [name]
    for (const path of names) {
      // What somebody has put beside the mails is not ours.
      if (!statSync(join(dataDir, path), { throwIfNoEntry: false })?.isFile()) continue
      const inBackup = `${OTHER_FOLDER}/${path}`
      try {
        await sums.copy(join(dataDir, path), join(backup, inBackup), inBackup)
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error // Deleted a moment ago, or never there.
      }
    }
  }
}
