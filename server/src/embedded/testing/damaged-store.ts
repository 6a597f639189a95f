import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { encode } from '../bson-values.ts'
import { OpenFailure } from '../storage/open-failure.ts'
import { openFolder } from '../storage/open-store.ts'
import type { Store } from '../storage/store.ts'
import { databaseFileIn, storeFilesOf } from '../storage/store-files.ts'

const OPTIONS = { durable: false, maxPages: undefined }

export type StoreFileName = 'main' | 'wal' | 'sums' | 'commits'
/** The contents of a store's files; a file that is not there has none. */
export type StoreCopy = Partial<Record<StoreFileName, Buffer>>

export interface SampleStore {
  /** Stopped properly. */
  stopped: StoreCopy
  /** Ended while the newest changes were in the log only. */
  killed: StoreCopy
  /** Ended after a checkpoint that had moved the whole log. */
  moved: StoreCopy
  /** Ended while a checkpoint was on its way: the sums are stored, but only some pages are moved. */
  halfMoved: StoreCopy
  /** Of an earlier time than `stopped`. */
  earlier: StoreCopy
}

/** Fills a store in `folder`, without threads and sockets, and copies its files at several times. */
export function fillSampleStore(folder: string): SampleStore {
  const earlier = copiesDuring(folder, 1000, (store) => insertSome(store, 0, 150))
  // The last commit is the one that reaches the limit, so a checkpoint follows it.
  const moved = copiesDuring(folder, 40, (store) => {
    insertSome(store, 150, 160)
    insertSome(store, 160, 230)
  })
  const killed = copiesDuring(folder, 40, (store) => {
    insertSome(store, 230, 300)
    for (let n = 300; n < 306; n++) insertSome(store, n, n + 1)
  })
  return {
    earlier: earlier.stopped,
    moved: moved.killed,
    halfMoved: halfMoved(moved.before, moved.killed),
    killed: killed.killed,
    stopped: killed.stopped,
  }
}

/** The files before and after `work`, as a killed process would leave them, and as left by a stop. */
export function copiesDuring(folder: string, checkpointFrames: number, work: (store: Store) => void) {
  const opened = openFolder(folder, { ...OPTIONS, checkpointFrames })
  const before = copyStore(folder)
  const store = opened.openStore()
  store.refresh()
  work(store)
  const killed = copyStore(folder)
  store.finish()
  store.close()
  opened.release()
  return { before, killed, stopped: copyStore(folder) }
}

function insertSome(store: Store, from: number, to: number): void {
  store.db.exec('BEGIN IMMEDIATE')
  const things = store.ensureCollection('test', 'things')
  if (things.indexes.length === 1) store.createIndex(things, { v: 2, key: { text: 1 }, name: 'text_1' })
  const collection = store.collection('test.things')
  for (let n = from; n < to; n++) collection?.insert(encode({ _id: n, text: `${n % 7} ${'x'.repeat((n * 37) % 900)}` }))
  store.commit()
}

/** The main file with every second page as it was before the checkpoint. */
function halfMoved(before: StoreCopy, after: StoreCopy): StoreCopy {
  const [old, main] = [before.main, Buffer.from(after.main ?? '')]
  for (let at = 0; old && at < old.length; at += 8192) old.copy(main, at, at, at + 4096)
  return { ...after, main }
}

function pathsIn(folder: string): [StoreFileName, string][] {
  const { main, wal, sums, commits } = storeFilesOf(databaseFileIn(folder))
  return [
    ['main', main],
    ['wal', wal],
    ['sums', sums],
    ['commits', commits],
  ]
}

/** Reading a file ends the locks of this process on it, which is no harm while no other process opens it. */
export function copyStore(folder: string): StoreCopy {
  return Object.fromEntries(
    pathsIn(folder).flatMap(([name, path]) => (existsSync(path) ? [[name, readFileSync(path)]] : [])),
  )
}

export function putStore(folder: string, copy: StoreCopy): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of pathsIn(folder)) {
    const bytes = copy[name]
    if (bytes) writeFileSync(path, bytes)
  }
}

/** Starts the store in `folder` and returns a digest of all rows, or the sentence by which it is refused. */
export function openAndRead(folder: string): { digest: string } | { refused: string } {
  let opened: ReturnType<typeof openFolder>
  try {
    opened = openFolder(folder, OPTIONS)
  } catch (error) {
    if (error instanceof OpenFailure && error.code === 'corrupt') return { refused: error.message }
    throw error
  }
  const store = opened.openStore()
  try {
    return { digest: digestOf(store) }
  } finally {
    store.finish()
    store.close()
    opened.release()
  }
}

function digestOf(store: Store): string {
  const check = store.db.prepare('PRAGMA integrity_check').get()?.integrity_check
  if (check !== 'ok') return `unsound: ${String(check)}`
  const hash = createHash('sha256')
  const tables = store.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  for (const { name } of tables) {
    hash.update(String(name))
    for (const row of store.db.prepare(`SELECT * FROM "${String(name)}"`).iterate()) {
      for (const value of Object.values(row)) hash.update(value instanceof Uint8Array ? value : String(value))
    }
  }
  return hash.digest('hex')
}

export interface FlipCounts {
  refused: number
  /** The store started, and everything in it was as before. */
  harmless: number
  /** Descriptions of those after which something was lost or changed without a word. */
  unseen: string[]
}

/** Flips one bit at a time at random places of all files, starts the store and looks at what it has. */
export function flipBits(folder: string, sample: SampleStore, next: () => number, flips: number): FlipCounts {
  const counts: FlipCounts = { refused: 0, harmless: 0, unseen: [] }
  const states = (['stopped', 'killed', 'moved', 'halfMoved'] as const).map((name) => {
    putStore(folder, sample[name])
    return { name, copy: sample[name], whole: openAndRead(folder) }
  })
  for (let flip = 0; flip < flips; flip++) {
    const state = states[Math.floor(next() * states.length)]
    if (!state || !('digest' in state.whole))
      throw new Error(`does not open undamaged: ${JSON.stringify(state?.whole)}`)
    const wanted = fileAt(next())
    const file = state.copy[wanted]?.length ? wanted : 'main'
    const bytes = Buffer.from(state.copy[file] ?? '')
    const at = Math.floor(next() * bytes.length)
    const bit = Math.floor(next() * 8)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    putStore(folder, { ...state.copy, [file]: bytes })
    const outcome = openAndRead(folder)
    if ('refused' in outcome) counts.refused++
    else if (outcome.digest === state.whole.digest) counts.harmless++
    else counts.unseen.push(`${state.name} ${file}, byte ${at}, bit ${bit}`)
  }
  return counts
}

function fileAt(chance: number): StoreFileName {
  if (chance < 0.45) return 'main'
  if (chance < 0.8) return 'wal'
  return chance < 0.92 ? 'sums' : 'commits'
}
