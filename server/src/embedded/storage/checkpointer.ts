import type { DatabaseSync } from 'node:sqlite'
import { CommitRecordFile } from './commit-record.ts'
import { PageSums } from './page-sums.ts'
import type { StoreFiles } from './store-files.ts'
import { WalFile, type WalPosition } from './wal-file.ts'

/** Checkpoints cost two syncs and rewrite the sums, so they are not made for a few pages. */
const FRAMES_A_CHECKPOINT = 2000

export interface CheckpointerOptions {
  /** False for tests of something else: nothing waits for the disk. */
  durable: boolean
  /** For tests: after how many frames the log is moved into the main file. */
  checkpointFrames?: number | undefined
}

/**
 * Moves the write-ahead log into the main file, in SQLite's place (`wal_autocheckpoint` is 0), because each page's checksum has to be
 * stored before the page is moved. What holds at every moment, so that a start can check it: each page of the main file either has the
 * stored checksum or is in the write-ahead log, which has checksums of its own.
 *
 * Belongs to the thread that serves everybody, which is told when another one has committed. While a connection reads an older state,
 * SQLite moves a part and the log grows on.
 */
export class Checkpointer {
  readonly #files: StoreFiles
  /** Of all that is committed. */
  readonly #sums: PageSums
  readonly #wal: WalFile
  readonly #record: CommitRecordFile
  readonly #durable: boolean
  readonly #every: number
  #nextAt: number
  #closed = false

  constructor(files: StoreFiles, sums: PageSums, options: CheckpointerOptions) {
    this.#files = files
    this.#sums = sums
    this.#wal = new WalFile(files.wal, sums.pageSize)
    this.#record = new CommitRecordFile(files.commits)
    this.#durable = options.durable
    this.#every = options.checkpointFrames ?? FRAMES_A_CHECKPOINT
    this.#nextAt = this.#every
  }

  /** To be called after each commit, before anyone is told of it. */
  committed(db: DatabaseSync): void {
    this.#readLog()
    if (this.#wal.position.frames < this.#nextAt) return
    this.#checkpoint(db, 'PASSIVE')
    // If all was moved, the next commit starts the log over. Else somebody reads an older state; by then they may have finished.
    this.#nextAt = this.#wal.position.frames + Math.ceil(this.#every / 4)
  }

  /**
   * As `committed`, for a commit of another thread, which may have been large: in steps, between which others have their turn. Nobody may
   * commit before it is done. Returns whether a checkpoint is due, which `checkpointElsewhere` makes.
   */
  async committedElsewhere(): Promise<boolean> {
    const steps = this.#stepsToReadLog()
    while (!steps.next().done) {
      await new Promise(setImmediate)
      if (this.#closed) return false
    }
    return this.#wal.position.frames >= this.#nextAt
  }

  /** Has the log moved by another thread. Nobody may commit meanwhile, as only what is committed by now has its sums stored. */
  async checkpointElsewhere(move: () => Promise<unknown>): Promise<void> {
    try {
      this.#save(this.#wal.position)
      await move()
    } catch {
      // As in `#checkpoint`; or the thread has ended.
    }
    this.#nextAt = this.#wal.position.frames + Math.ceil(this.#every / 4)
  }

  #readLog(): void {
    const steps = this.#stepsToReadLog()
    while (!steps.next().done);
  }

  *#stepsToReadLog(): Generator<void, void> {
    const read = () => this.#wal.stepsToRead((page, sum) => this.#sums.set(page, sum))
    let pages = yield* read()
    const startsOver = pages === 0 && this.#startsOver()
    if (startsOver) pages = yield* read()
    if (pages === 0) return
    this.#sums.pageCount = this.#wal.pageCount
    // Synced once for each log, so that after a power cut a log of which nothing is known can hold one commit at most.
    this.#writeRecord(this.#wal.position, startsOver && this.#durable)
  }

  #startsOver(): boolean {
    const before = this.#wal.position
    if (!this.#wal.startsOver()) return false
    this.#nextAt = this.#every
    // Does something only if another program made the checkpoint.
    this.#save(before)
    return true
  }

  #writeRecord(committed: WalPosition, sync: boolean): void {
    try {
      this.#record.write({ sumsVersion: this.#sums.version, committed }, sync)
    } catch {
      // A full disk on some file systems. The record stays behind, which only makes a later check weaker.
    }
  }

  #save(position: WalPosition): void {
    if (isTakenIn(this.#sums, position)) return
    this.#sums.save(this.#files.sums, position, this.#durable)
    this.#writeRecord(position, false)
  }

  #checkpoint(db: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): void {
    try {
      this.#save(this.#wal.position)
      db.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
    } catch {
      // The disk is full, or this connection has a read open. Everything stays in the log.
    }
  }

  /** As much as can be moved while others read. Nobody may commit meanwhile. */
  emptyLog(db: DatabaseSync): void {
    this.#readLog()
    this.#checkpoint(db, 'TRUNCATE')
    this.#nextAt = this.#wal.position.frames + Math.ceil(this.#every / 4)
  }

  /** Before the connections are closed: leaves everything in the main file. */
  close(db: DatabaseSync): void {
    this.#closed = true
    this.#readLog()
    this.#checkpoint(db, 'TRUNCATE')
    this.#wal.close()
    this.#record.close()
  }
}

function isTakenIn({ takenIn }: PageSums, { salts, frames }: WalPosition): boolean {
  return frames === 0 || (takenIn.salts === salts && takenIn.frames === frames)
}

/**
 * Makes sums and record for a main file that this process has not open, and what is in its log: closing the last connection moves the
 * log, but a backup in another process may have one.
 */
export function writeFirstSums(files: StoreFiles, durable: boolean): PageSums {
  const sums = PageSums.ofFile(files.main)
  const log = addLog(sums, files)
  const record = new CommitRecordFile(files.commits)
  try {
    // The record comes first, with version 0: a crash in between is told from lost sums by that.
    record.write({ sumsVersion: 0, committed: { salts: '', frames: 0 } }, durable)
    sums.save(files.sums, log, durable)
    record.write({ sumsVersion: sums.version, committed: log }, durable)
  } finally {
    record.close()
  }
  return sums
}

function addLog(sums: PageSums, files: StoreFiles): WalPosition {
  const wal = new WalFile(files.wal, sums.pageSize)
  try {
    wal.startsOver()
    wal.readCommitted((page, sum) => sums.set(page, sum))
    if (wal.pageCount > 0) sums.pageCount = wal.pageCount
    return wal.position
  } finally {
    wal.close()
  }
}

/** Takes the log, which `sums` has, into the stored ones, so that SQLite may move it whenever it likes. */
export function takeInLog(files: StoreFiles, sums: PageSums, log: WalPosition, durable: boolean): void {
  if (isTakenIn(sums, log)) return
  sums.save(files.sums, log, durable)
  const record = new CommitRecordFile(files.commits)
  record.write({ sumsVersion: sums.version, committed: log }, durable)
  record.close()
}
