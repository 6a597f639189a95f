import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { StorageConfig } from '../../config.ts'
import { UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { CLIENT_FILES } from '../../records/system/client-file.model.ts'
import { INSTALLATIONS } from '../../records/system/installation.model.ts'
import { announceAgain } from '../retention/announce-again.ts'
import { DATABASE_FILE, hashOfPaper, type Manifest, UNFINISHED } from './backup-format.ts'
import { assertEmptyOrUnfinished, copyDatabase, inMongodb, inStore, markWhole } from './copy-database.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { openS3Papers, syncFolder, writeNew } from './hashed-files.ts'
import { COPY_ID, dataIn, finishSwap, STAGING, swapIn } from './swap-in.ts'
import { type Sums, verifyBackup } from './verify-backup.ts'

export interface RestoreOptions extends Pick<StorageConfig, 'dataDir' | 'mongodbUrl' | 'filesLocation'> {
  backup: string
  /** Moves what is in the data folder aside. */
  replace: boolean
  now: Date
  report: (line: string) => void
}

/**
 * Restores a backup, after it was read whole, into a data folder that no Assay runs on. Everything is written beside what is there, and put in
 * place at the end.
 * @returns `aside` is where the old data is; null if there was none. Null if what it did was to finish an earlier restore that was interrupted
 * while it put the files in place
 * @throws {OperatorError}
 */
export async function restoreBackup(
  options: RestoreOptions,
): Promise<{ manifest: Manifest; aside: string | null } | null> {
  const { backup, dataDir, mongodbUrl, replace, now, report } = options
  if (basename(backup).endsWith(UNFINISHED)) throw new OperatorError(`${backup} was not finished. Use another backup.`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataFolder(dataDir)
  try {
    if (await finishSwap(dataDir, (copyId) => markRestored(mongodbUrl, copyId))) return null
    // A start that was refused has made a key. It is moved aside, too.
    const names = (await dataIn(dataDir)).filter((name) => name !== 'secret-key')
    if (names.length > 0 && !replace)
      throw new OperatorError(
        `${dataDir} is not empty: it has ${names.join(', ')}. Name another folder as DATA_DIR, or add --replace, which moves what is there aside first.`,
      )
    // Before hours of papers are written for nothing.
    if (mongodbUrl) await inMongodb(mongodbUrl, assertEmptyOrUnfinished)
    report('Reading the backup')
    const { manifest, sums } = await verifyBackup(backup)
    await stage(sums, options)
    report('Putting it in place')
    const aside = await swapIn(dataDir, now)
    await finishSwap(dataDir, (copyId) => markRestored(mongodbUrl, copyId))
    return { manifest, aside }
  } finally {
    lock.release()
  }
}

async function markRestored(mongodbUrl: string | null, copyId: string): Promise<void> {
  if (mongodbUrl) return inMongodb(mongodbUrl, (db) => markWhole(db, copyId))
  throw new OperatorError(
    'The restore that was interrupted has filled a MongoDB. Set MONGODB_URL to its address, and run it again.',
  )
}

/** Writes everything beside what is there. Leaves nothing where it fails. */
async function stage(sums: Sums, options: RestoreOptions): Promise<void> {
  const { dataDir, filesLocation, report } = options
  const staging = join(dataDir, STAGING)
  const s3 = filesLocation ? await openS3Papers(filesLocation, dataDir) : null
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { mode: 0o700 })
  try {
    // What is restored is an installation of its own, also where it takes another's place.
    await s3?.assertUnclaimed()
    report('Writing the papers')
    for (const [name, sha256] of sums) {
      const hash = hashOfPaper(name)
      if (name.startsWith('data/')) await copyFile(name, sums, options, join(staging, name.slice('data/'.length)))
      else if (hash && !s3) await copyFile(name, sums, options)
      // The store takes content under its own hash alone.
      else if (hash && sha256 === hash) await s3?.store(join(options.backup, name), hash)
      else if (hash) report(`${name} had changed before it was backed up, and is not restored.`)
    }
    report('Writing the database')
    await copyFile(DATABASE_FILE, sums, options)
    await prepareDatabase(options)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  } finally {
    s3?.close()
  }
}

async function copyFile(
  name: string,
  sums: Sums,
  { backup, dataDir }: RestoreOptions,
  target = join(dataDir, STAGING, name),
): Promise<void> {
  const written = await writeNew(createReadStream(join(backup, name)), target)
  if (written !== sums.get(name)) throw new OperatorError(`${name} was not read as it is in the backup. Try again.`)
  await syncFolder(dirname(target))
}

/** What is of this installation, of its program or of how the backup was made. */
const NOT_RESTORED = [INSTALLATIONS, CLIENT_FILES, UNFINISHED_COPY]

/** The one that was staged. Where there is a MongoDB, it goes there, and is marked as whole once the papers are in place. */
async function prepareDatabase({ dataDir, mongodbUrl, now }: RestoreOptions): Promise<void> {
  const folder = join(dataDir, STAGING, 'database')
  const copyId = await inStore(folder, async (db) => {
    for (const name of NOT_RESTORED) await db.dropCollection(name)
    await announceAgain(db, now)
    return mongodbUrl && (await inMongodb(mongodbUrl, (to) => copyDatabase(db, to))).copyId
  })
  if (!copyId) return syncFolder(folder)
  await rm(folder, { recursive: true })
  await writeNew(Readable.from(copyId), join(dataDir, STAGING, COPY_ID))
}
