import { createReadStream, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { mongo } from 'mongoose'
import { z } from 'zod'
import type { StorageConfig } from '../../config.ts'
import { UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { hasCode } from '../../lib/has-code.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncToDisk, writeNew } from '../../lib/storage/write-file.ts'
import type { RetentionNotice } from '../../records/assignments/assignment.model.ts'
import { CLIENT_FILES } from '../../records/system/client-file.model.ts'
import { INSTALLATIONS } from '../../records/system/installation.model.ts'
import { deletionDate } from '../retention/retention-rule.ts'
import {
  DATABASE_FILE,
  hashFile,
  hashOfPaper,
  MANIFEST,
  Manifest,
  OTHER_FILES,
  openS3Papers,
  SUMS,
  UNFINISHED,
} from './backup-format.ts'
import { assertEmptyOrUnfinished, copyDatabase, inMongodb, inStore, markWhole } from './copy-database.ts'
import { COPY_ID, dataIn, finishSwap, lockDataFolder, STAGING, swapIn } from './swap-in.ts'

export interface RestoreOptions extends Pick<StorageConfig, 'dataDir' | 'mongodbUrl' | 'filesLocation'> {
  backup: string
  replace: boolean
  now: Date
  report: (line: string) => void
}

/**
 * Reads the whole backup first, writes beside the data and swaps at the end. @returns the old data's folder (`aside`),
 * or null if it only finished an interrupted restore. @throws {OperatorError}
 */
export async function restoreBackup(options: RestoreOptions) {
  const { backup, dataDir, mongodbUrl, replace, now, report } = options
  if (basename(backup).endsWith(UNFINISHED)) throw new OperatorError(`${backup} was not finished. Use another backup.`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataFolder(dataDir)
  try {
    if (await finishSwap(dataDir, (copyId) => markRestored(mongodbUrl, copyId))) return null
    // A refused start has made a key.
    const names = (await dataIn(dataDir)).filter((name) => name !== 'secret-key')
    if (names.length > 0 && !replace)
      throw new OperatorError(
        `${dataDir} is not empty: it has ${names.join(', ')}. Name another folder as DATA_DIR, or add --replace, which moves what is there aside first.`,
      )
    // Before papers are written for hours in vain.
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

/** Leaves nothing if it fails. */
async function stage(sums: Sums, options: RestoreOptions): Promise<void> {
  const { dataDir, filesLocation, report } = options
  const staging = join(dataDir, STAGING)
  const s3 = filesLocation ? await openS3Papers(filesLocation, dataDir) : null
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { mode: 0o700 })
  try {
    // A restored installation is a new one.
    await s3?.assertUnclaimed()
    report('Writing the papers')
    for (const [name, sha256] of sums) {
      const hash = hashOfPaper(name)
      if (name.startsWith('data/')) await copyFile(name, sums, options, join(staging, name.slice('data/'.length)))
      else if (hash && !s3) await copyFile(name, sums, options)
      // The store takes content only under its own hash.
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
  await syncToDisk(dirname(target))
}

/** Of the old installation, its program or the backup. */
const NOT_RESTORED = [INSTALLATIONS, CLIENT_FILES, UNFINISHED_COPY]

/** In a MongoDB it is marked as whole only once the papers are in place. */
async function prepareDatabase({ dataDir, mongodbUrl, now }: RestoreOptions): Promise<void> {
  const folder = join(dataDir, STAGING, 'database')
  const copyId = await inStore(folder, async (db) => {
    for (const name of NOT_RESTORED) await db.dropCollection(name)
    await announceAgain(db, now)
    return mongodbUrl && (await inMongodb(mongodbUrl, (to) => copyDatabase(db, to))).copyId
  })
  if (!copyId) return syncToDisk(folder)
  await rm(folder, { recursive: true })
  await writeNew(Readable.from(copyId), join(dataDir, STAGING, COPY_ID))
}

const damaged = (what: string, cause?: unknown) => new OperatorError(`The backup is damaged: ${what}.`, { cause })

type Sums = Map<string, string>

/** @throws {OperatorError} naming the first file that is wrong */
async function verifyBackup(backup: string): Promise<{ manifest: Manifest; sums: Sums }> {
  for (const name of [MANIFEST, SUMS])
    if (!existsSync(join(backup, name))) throw new OperatorError(`${backup} is not a backup: it has no ${name}.`)
  const manifest = readManifest(backup)
  const sums: Sums = new Map()
  for (const line of readFileSync(join(backup, SUMS), 'utf8').trimEnd().split('\n')) {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!sha256 || !name) throw damaged(`${SUMS} has a line that is not a checksum`)
    if (!belongs(name)) throw damaged(`${name} does not belong to a backup`)
    if ((await hashOf(backup, name)) !== sha256) throw damaged(`${name} is not as it was written`)
    const hash = hashOfPaper(name)
    if (hash && hash !== sha256 && !manifest.papers.damaged.includes(hash))
      throw damaged(`${name} is not the paper of that name`)
    sums.set(name, sha256)
  }
  if (!sums.has(DATABASE_FILE)) throw damaged(`${DATABASE_FILE} is missing`)
  if (sums.size === manifest.files) return { manifest, sums }
  throw damaged(`${SUMS} lists ${sums.size} files, and ${manifest.files} were written`)
}

function readManifest(backup: string): Manifest {
  try {
    const read: unknown = JSON.parse(readFileSync(join(backup, MANIFEST), 'utf8'))
    const { format, assay } = z.object({ format: z.number(), assay: z.string() }).parse(read)
    if (format === 1)
      throw new OperatorError(
        `The backup was made by an earlier version of Assay (${assay}), in a format that this version does not read. Restore it with that version, and then upgrade.`,
      )
    return Manifest.parse(read)
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw damaged(`${MANIFEST} cannot be read, or is of a newer version of Assay`, cause)
  }
}

/** Anybody could list a file: each may lead only to its own place in the data folder. */
function belongs(name: string): boolean {
  const [, other = '', inner] = /^data\/([^/]+)(?:\/([^/]+))?$/.exec(name) ?? []
  const isOther = OTHER_FILES.includes(other) && inner !== '.' && inner !== '..'
  return isOther || name === MANIFEST || name === DATABASE_FILE || hashOfPaper(name) !== undefined
}

async function hashOf(backup: string, name: string): Promise<string> {
  const path = join(backup, name)
  try {
    // A link would restore another file of this machine.
    if (!lstatSync(path).isFile() || realpathSync(path) !== join(realpathSync(backup), name))
      throw damaged(`${name} is not a file, but a link`)
    return await hashFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw damaged(`${name} is missing`)
    throw error
  }
}

/** Announced deletions, even if withdrawn since, get 14 new days and a mail; begun ones complete. */
async function announceAgain(db: mongo.Db, now: Date): Promise<void> {
  const announced = { 'retention_notice.mailed': true, 'retention_notice.deleting': { $exists: false } }
  await db
    .collection<{ retention_notice?: RetentionNotice }>('assignments')
    .updateMany(announced, {
      $set: { 'retention_notice.mailed': false, 'retention_notice.delete_at': deletionDate(now) },
    })
}
