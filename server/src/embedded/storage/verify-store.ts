import { basename } from 'node:path'
import type { Checksum } from './checksum.ts'
import { type CommitRecord, CommitRecordFile } from './commit-record.ts'
import { OpenFailure } from './open-failure.ts'
import { PageSums, readPages } from './page-sums.ts'
import { type StoreFiles, sizeOf } from './store-files.ts'
import { succeeds, WalFile, type WalPosition } from './wal-file.ts'

const RESTORE =
  'Nothing was changed; restore a backup (docs/deploy.md#backups), or let `npm run check-store` say what can be read.'
const CHECK = 'Nothing was changed; `npm run check-store` says whether it is whole, and how to go on.'

export type StoreState =
  | { kind: 'new' }
  /** Written by a version that kept no checksums. */
  | { kind: 'unchecked' }
  /** `sums` has what is in the log, too. */
  | { kind: 'whole'; sums: PageSums; log: WalPosition }

/** Checks the files of a store that no connection has open, and changes nothing. Throws OpenFailure, saying what is wrong. */
export function verifyStore(files: StoreFiles): StoreState {
  const mainBytes = sizeOf(files.main)
  if (!mainBytes) return refuseOthersAlone(files, mainBytes)
  const hasSums = sizeOf(files.sums) !== undefined
  const record = readRecord(files)
  if (!hasSums && (record === undefined || record.sumsVersion === 0)) return { kind: 'unchecked' }
  if (!hasSums) throw unchecked(files.sums, 'is missing')
  if (!record) throw unchecked(files.commits, 'is missing')
  const sums = PageSums.load(files.sums)
  if (!sums) throw unchecked(files.sums, 'is damaged')
  if (sums.version < record.sumsVersion) {
    throw damaged(
      `The files ${files.main} and ${basename(files.sums)} are older than ${basename(files.commits)} beside them`,
    )
  }
  const wal = new WalFile(files.wal, sums.pageSize)
  try {
    const pagesInLog = new Map<number, Checksum>()
    wal.startsOver()
    wal.readCommitted((page, sum) => pagesInLog.set(page, sum))
    checkLog(files, sums, record, wal)
    checkPages(files, mainBytes, sums, pagesInLog, wal)
    for (const [page, sum] of pagesInLog) sums.set(page, sum)
    if (wal.pageCount > 0) sums.pageCount = wal.pageCount
    return { kind: 'whole', sums, log: wal.position }
  } finally {
    wal.close()
  }
}

function refuseOthersAlone(files: StoreFiles, mainBytes: number | undefined): StoreState {
  const beside = [files.wal, files.sums, files.commits].filter((path) =>
    path === files.wal ? sizeOf(path) : sizeOf(path) !== undefined,
  )
  if (beside.length === 0) return { kind: 'new' }
  throw damaged(
    `The database file ${files.main} is ${mainBytes === undefined ? 'missing' : 'empty'}, but ${beside.map((path) => basename(path)).join(' and ')} beside it has its data`,
  )
}

function readRecord(files: StoreFiles): CommitRecord | undefined {
  if (sizeOf(files.commits) === undefined) return undefined
  const record = CommitRecordFile.read(files.commits)
  if (!record) throw unchecked(files.commits, 'is damaged')
  return record
}

/** Whether the log has all that was committed to it: SQLite would take a shortened one for one with less in it. */
function checkLog(files: StoreFiles, sums: PageSums, { sumsVersion, committed }: CommitRecord, wal: WalFile): void {
  const { salts, frames } = wal.position
  const { takenIn } = sums
  const covered = committed.salts === takenIn.salts && committed.frames <= takenIn.frames
  // A record of before the sums were last saved speaks of what they have taken in.
  if (sumsVersion < sums.version || covered) {
    // With less than the main file has already, the log would take pages back to an older state.
    if (salts === takenIn.salts && frames < takenIn.frames && salts !== '')
      throw shortLog(files, frames, takenIn.frames)
    // The record is synced with the first commit to a new log, so of one that does not follow only that commit may be unknown.
    if (salts !== takenIn.salts && wal.commits > 1 && !succeeds(salts, takenIn.salts)) throw foreignLog(files)
    return
  }
  const bytes = sizeOf(files.wal)
  if (!bytes) {
    throw damaged(
      `The write-ahead log ${files.wal} is ${bytes === undefined ? 'missing' : 'empty'}; the newest changes to the database were in it`,
    )
  }
  if (salts !== committed.salts && frames > 0) throw foreignLog(files)
  if (salts !== committed.salts || frames < committed.frames) {
    throw shortLog(files, salts === committed.salts ? frames : 0, committed.frames)
  }
}

function shortLog(files: StoreFiles, frames: number, needed: number): OpenFailure {
  return damaged(
    `The write-ahead log ${files.wal} is damaged: of ${needed} pages written to it, ${frames} are readable, and the newest changes to the database were in it`,
  )
}

function foreignLog(files: StoreFiles): OpenFailure {
  return damaged(`The write-ahead log ${files.wal} does not belong to the database file beside it`)
}

function checkPages(
  files: StoreFiles,
  mainBytes: number,
  sums: PageSums,
  inLog: ReadonlyMap<number, Checksum>,
  wal: WalFile,
): void {
  const pageCount = wal.pageCount || sums.pageCount
  const expectedBytes = sums.pageCount * sums.pageSize
  if (wal.pageCount === 0 && mainBytes !== expectedBytes) {
    throw damaged(`The database file ${files.main} is damaged: it has ${mainBytes} bytes instead of ${expectedBytes}`)
  }
  const bad: number[] = []
  let pages = 0
  readPages(files.main, sums.pageSize, (page, sum) => {
    pages = page
    if (page <= pageCount && !sums.matches(page, sum) && !inLog.has(page)) bad.push(page)
  })
  for (let page = pages + 1; page <= pageCount; page++) {
    if (!inLog.has(page) && !sums.matches(page, { first: 0, second: 0 })) bad.push(page)
  }
  if (bad.length === 0) return
  throw damaged(
    `The database file ${files.main} is damaged, or was changed by another program: ${bad.length} of its ${pageCount} pages ${bad.length === 1 ? 'does' : 'do'} not match ${bad.length === 1 ? 'its checksum' : 'their checksums'}, the first is page ${bad[0]}`,
  )
}

function damaged(what: string): OpenFailure {
  return new OpenFailure('corrupt', `${what}. ${RESTORE}`)
}

function unchecked(path: string, how: string): OpenFailure {
  return new OpenFailure(
    'corrupt',
    `The file ${path}, by which damage to the database is noticed, ${how}; the database may be whole. ${CHECK}`,
  )
}
