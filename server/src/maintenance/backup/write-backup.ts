import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { BSON } from 'bson'
import type { StorageConfig } from '../../config.ts'
import { DATABASE } from '../../embedded/embedded-database.ts'
import { databaseFileIn } from '../../embedded/storage/open-store.ts'
import { hasCode } from '../../lib/has-code.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { createDiskFileStore, type FileStore } from '../../lib/storage/file-store.ts'
import { syncToDisk, writeNew } from '../../lib/storage/write-file.ts'
import { version } from '../../lib/version.ts'
import {
  checkOfSecret,
  DATABASE_FILE,
  FORMAT,
  hashFile,
  MANIFEST,
  type Manifest,
  OTHER_FILES,
  openS3Papers,
  paperFile,
  SUMS,
  stampOf,
  UNFINISHED,
} from './backup-format.ts'
import { collectionNames, copyDatabase, inMongodb, inStore } from './copy-database.ts'
import { assertNotBeingRestored, COPY_OF_MONGODB, shareDataFolderIfLockable } from './swap-in.ts'

export interface BackupOptions extends Omit<StorageConfig, 'previousSecretKey'> {
  into: string
  now: Date
  report: (line: string) => void
  signal?: AbortSignal
}

/** Also while Assay runs. @throws {OperatorError} */
export async function writeBackup(options: BackupOptions): Promise<{ folder: string; manifest: Manifest }> {
  const { dataDir, into, now, signal } = options
  assertNotBeingRestored(dataDir)
  const lock = shareDataFolderIfLockable(dataDir)
  try {
    await assertDatabase(options)
    const unfinished = await makeFolder(`assay-${stampOf(now)}`, options)
    const folder = unfinished.slice(0, -UNFINISHED.length)
    try {
      const manifest = await fill(unfinished, options)
      signal?.throwIfAborted()
      await rename(unfinished, folder)
      await syncToDisk(into)
      return { folder, manifest }
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  } finally {
    lock.release()
  }
}

async function assertDatabase({ dataDir, mongodbUrl }: BackupOptions): Promise<void> {
  if (mongodbUrl !== null) {
    if ((await inMongodb(mongodbUrl, collectionNames)).length > 0) return
    throw new OperatorError('The database is empty. Does MONGODB_URL name the right one?')
  }
  if (statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false })?.size) return
  throw new OperatorError(`There is no database in ${dataDir}. Does DATA_DIR name the right folder?`)
}

/** Renamed once finished; a second one in the same second has a number. */
async function makeFolder(name: string, { dataDir, into, report }: BackupOptions): Promise<string> {
  const above = dirname(into)
  if (!existsSync(above)) throw new OperatorError(`${above} does not exist. Is the disk mounted?`)
  const place = existsSync(into) ? realpathSync(into) : join(realpathSync(above), basename(into))
  if ((place + sep).startsWith(realpathSync(dataDir) + sep))
    throw new OperatorError(`${into} is inside the data folder. Choose a folder outside of it, best on another disk.`)
  await mkdir(into, { recursive: true, mode: 0o700 })
  await syncToDisk(above)
  for (const name of await readdir(into))
    if (name.startsWith('assay-') && name.endsWith(UNFINISHED))
      report(
        `${join(into, name)} is a backup that was interrupted, or is being written. If it was interrupted, delete it.`,
      )
  for (let number = 1; ; number += 1) {
    const folder = join(into, number === 1 ? name : `${name}-${number}`)
    const unfinished = folder + UNFINISHED
    try {
      await mkdir(unfinished, { mode: 0o700 })
    } catch (cause) {
      if (hasCode(cause, 'EEXIST')) continue
      throw cause
    }
    if (!existsSync(folder)) return unfinished
    await rm(unfinished, { recursive: true })
  }
}

async function fill(backup: string, options: BackupOptions): Promise<Manifest> {
  const { dataDir, filesLocation, secretKey, now, report } = options
  const s3 = filesLocation ? await openS3Papers(filesLocation, dataDir) : null
  try {
    const store = s3 ?? createDiskFileStore(join(dataDir, 'papers'))
    const database = join(backup, DATABASE_FILE)
    const papers: Manifest['papers'] = { files: 0, missing: [], damaged: [] }
    for (;;) {
      report('Copying the database')
      const one_moment = await writeDatabase(database, options)
      const described = describeCopy(database)
      report('Copying the papers')
      const missing = await copyPapers(described.papers, store, backup, papers, options)
      const known = new Set(papers.missing)
      papers.missing = missing
      // Files deleted since are not in a newer copy; what both copies lack is lost.
      if (!missing.every((hash) => known.has(hash))) continue
      await copyOtherFiles(dataDir, backup)
      report('Reading it back')
      const manifest = {
        format: FORMAT as typeof FORMAT,
        assay: version,
        made_at: now.toISOString(),
        one_moment,
        documents: described.documents,
        papers,
        secret_key_check: secretKey === null ? null : checkOfSecret(secretKey),
        files: (await filesIn(backup)).length + 1,
      }
      await writeNew(Readable.from(`${JSON.stringify(manifest, null, 2)}\n`), join(backup, MANIFEST))
      await writeSums(backup, options)
      return manifest
    }
  } finally {
    s3?.close()
  }
}

/** @returns whether all documents are of one moment */
async function writeDatabase(file: string, { dataDir, mongodbUrl, signal }: BackupOptions): Promise<boolean> {
  if (mongodbUrl === null) {
    await copyEmbedded(join(dataDir, 'database'), file)
    return true
  }
  const folder = join(dataDir, COPY_OF_MONGODB)
  return inMongodb(mongodbUrl, (from) =>
    inStore(folder, async (to) => {
      const { oneMoment } = await copyDatabase(from, to, signal)
      await copyEmbedded(folder, file)
      return oneMoment
    }),
  ).finally(() => rm(folder, { recursive: true, force: true }))
}

/** Stored files never change. @returns the missing ones */
async function copyPapers(
  hashes: Set<string>,
  store: FileStore,
  backup: string,
  papers: Manifest['papers'],
  { signal, report }: BackupOptions,
): Promise<string[]> {
  const missing: string[] = []
  for (const hash of hashes) {
    signal?.throwIfAborted()
    const file = join(backup, paperFile(hash))
    if (existsSync(file)) continue
    try {
      if ((await writeNew(store.read(hash), file)) !== hash) papers.damaged.push(hash)
      if (++papers.files % 1000 === 0) report(`  ${papers.files} papers`)
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'EISDIR')) throw error
      missing.push(hash)
    }
  }
  return missing
}

async function copyOtherFiles(dataDir: string, backup: string): Promise<void> {
  for (const name of OTHER_FILES) {
    const isFolder = statSync(join(dataDir, name), { throwIfNoEntry: false })?.isDirectory()
    const names = isFolder ? (await readdir(join(dataDir, name))).map((inner) => join(name, inner)) : [name]
    for (const one of names) {
      try {
        await writeNew(createReadStream(join(dataDir, one)), join(backup, 'data', one))
      } catch (error) {
        // Deleted, never there, or a folder among the mails.
        if (!hasCode(error, 'ENOENT', 'EISDIR')) throw error
      }
    }
  }
}

async function filesIn(backup: string): Promise<string[]> {
  const entries = await readdir(backup, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function writeSums(backup: string, { signal }: BackupOptions): Promise<void> {
  const lines: string[] = []
  const folders = new Set([backup])
  for (const path of await filesIn(backup)) {
    signal?.throwIfAborted()
    lines.push(`${await hashFile(path)}  ${relative(backup, path)}\n`)
    folders.add(dirname(path))
  }
  await writeNew(Readable.from(lines), join(backup, SUMS))
  for (const folder of folders) await syncToDisk(folder)
}

const BUSY_WAIT_MS = 10_000

/** At one moment, also while it is served; meanwhile its log cannot shrink. */
async function copyEmbedded(folder: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const copy = await open(to, 'w', 0o600)
  const db = new DatabaseSync(databaseFileIn(folder), { readOnly: true, timeout: BUSY_WAIT_MS })
  try {
    // A network disk may lack locks, and nobody else knows the copy yet.
    db.prepare('VACUUM INTO ?').run(`${pathToFileURL(to).href}?nolock=1`)
    await copy.sync()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(`The database in ${folder} could not be copied to ${to}: ${reason}.`, { cause })
  } finally {
    db.close()
    await copy.close()
  }
}

const COLLECTIONS_WITH_PAPERS = ['submissions', 'assignments', 'class_scans', 'photo_drafts']

/** Hashes of all papers and photos; nobody may write to the copy. */
function describeCopy(file: string): { documents: number; papers: Set<string> } {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, { readOnly: true })
  try {
    let documents = 0
    const papers = new Set<string>()
    for (const { id, name } of db.prepare('SELECT id, name FROM collections WHERE db = ?').all(DATABASE)) {
      documents += Number(db.prepare(`SELECT count(*) AS n FROM documents_${id}`).get()?.n)
      if (!COLLECTIONS_WITH_PAPERS.includes(String(name))) continue
      for (const { doc } of db.prepare(`SELECT doc FROM documents_${id}`).iterate()) {
        const document = doc instanceof Uint8Array ? BSON.deserialize(doc) : {}
        // A confirmed scan's files may be gone, as its papers are submissions.
        if (name !== 'class_scans' || document.state !== 'confirmed') findHashes(document, papers)
      }
    }
    return { documents, papers }
  } finally {
    db.close()
  }
}

/** In these collections every `hash` names a file in the paper store. */
function findHashes(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    if (name === 'hash' && typeof inner === 'string') found.add(inner)
    else findHashes(inner, found)
}
