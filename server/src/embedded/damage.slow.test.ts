import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../lib/seeded-random.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { acceptStore, checkStore } from './storage/check-store.ts'
import { FORMAT, openFolder } from './storage/open-store.ts'
import {
  copiesDuring,
  copyStore,
  fillSampleStore,
  flipBits,
  openAndRead,
  putStore,
  type SampleStore,
  type StoreCopy,
} from './testing/damaged-store.ts'
import { makeFolder } from './testing/test-database.ts'

let root: string
let folder: string
let sample: SampleStore
beforeAll(() => {
  root = makeFolder()
  folder = join(root, 'store')
  sample = fillSampleStore(join(root, 'sample'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('sees every bit that was flipped in the file, its log, its checksums or its record', () => {
  const { refused, harmless, unseen } = flipBits(folder, sample, seededRandom(14), 150)
  expect(unseen).toEqual([])
  // Harmless are those in pages that the log replaces, and in what the log has left of earlier times.
  expect(refused).toBeGreaterThan(90)
  expect(refused + harmless).toBe(150)
})

it.each(['stopped', 'killed', 'moved', 'halfMoved'] as const)(
  'opens a store that was %s, with all that is in it',
  (state) => {
    putStore(folder, sample[state])
    const first = openAndRead(folder)
    expect(first).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(openAndRead(folder)).toEqual(first)
  },
)

it('has the same in a store that was killed as in one that was stopped', () => {
  const digests = [sample.killed, sample.stopped].map((copy) => {
    putStore(folder, copy)
    return openAndRead(folder)
  })
  expect(digests[0]).toEqual(digests[1])
})

const cut = (bytes: Buffer | undefined, by: number) => bytes?.subarray(0, bytes.length - by)
const EMPTY = Buffer.alloc(0)

type Damage = [what: string, damaged: () => StoreCopy, sentence: RegExp]

const damages: Damage[] = [
  ['a lost log', () => ({ ...sample.killed, wal: undefined }), /-wal is missing; the newest changes/],
  ['an emptied log', () => ({ ...sample.killed, wal: EMPTY }), /-wal is empty; the newest changes/],
  [
    'a log cut short',
    () => ({ ...sample.killed, wal: sample.killed.wal?.subarray(0, 5000) }),
    /-wal is damaged: of \d+ pages/,
  ],
  [
    'a log of zeros',
    () => ({ ...sample.killed, wal: Buffer.alloc(9000) }),
    /-wal is damaged: of \d+ pages written to it, 0/,
  ],
  ['another log', () => ({ ...sample.killed, wal: sample.moved.wal }), /-wal does not belong to the database file/],
  [
    'a log older than the file',
    () => ({ ...sample.stopped, wal: sample.moved.wal }),
    /-wal does not belong to the database file/,
  ],
  [
    'a log that was moved and then cut short',
    () => ({ ...sample.moved, wal: cut(sample.moved.wal, 5000) }),
    /-wal is damaged: of \d+ pages/,
  ],
  ['a lost log of which half was moved', () => ({ ...sample.halfMoved, wal: undefined }), /data\.sqlite is damaged/],
  [
    'an emptied file beside its log',
    () => ({ ...sample.killed, main: EMPTY }),
    /data\.sqlite is empty, but data\.sqlite-wal/,
  ],
  ['an emptied file', () => ({ ...sample.stopped, main: EMPTY }), /data\.sqlite is empty, but data\.sqlite-sums/],
  ['a lost file', () => ({ ...sample.stopped, main: undefined }), /data\.sqlite is missing, but data\.sqlite-sums/],
  [
    'an emptied file of an earlier version beside its log',
    () => ({ main: EMPTY, wal: sample.killed.wal }),
    /data\.sqlite is empty, but data\.sqlite-wal/,
  ],
  [
    'a file cut short',
    () => ({ ...sample.stopped, main: cut(sample.stopped.main, 4096) }),
    /has \d+ bytes instead of \d+/,
  ],
  [
    'a file with an older one in its place',
    () => ({ ...sample.stopped, main: sample.earlier.main }),
    /bytes instead of/,
  ],
  [
    'an older file of the same size',
    () => ({ ...sample.stopped, main: olderPages(sample) }),
    /is damaged, or was changed by another program: \d+ of its \d+ pages do not match/,
  ],
  [
    'a file and sums of an earlier time',
    () => ({ ...sample.earlier, commits: sample.stopped.commits }),
    /are older than data\.sqlite-commits beside them/,
  ],
  [
    'lost sums',
    () => ({ ...sample.stopped, sums: undefined }),
    /-sums, by which .* is missing; the database may be whole/,
  ],
  [
    'emptied sums',
    () => ({ ...sample.stopped, sums: EMPTY }),
    /-sums, by which .* is damaged; the database may be whole/,
  ],
  ['a lost record', () => ({ ...sample.stopped, commits: undefined }), /-commits, by which .* is missing/],
  ['an emptied record', () => ({ ...sample.stopped, commits: EMPTY }), /-commits, by which .* is damaged/],
]

function olderPages({ earlier, stopped }: SampleStore): Buffer {
  return Buffer.concat([earlier.main ?? EMPTY, stopped.main?.subarray(earlier.main?.length) ?? EMPTY])
}

describe('refuses in a sentence, and changes nothing:', () => {
  it.each(damages)('%s', (_what, damaged, sentence) => {
    putStore(folder, damaged())
    const before = copyStore(folder)
    expect(openAndRead(folder)).toEqual({ refused: expect.stringMatching(sentence) })
    expect(openAndRead(folder)).toEqual({ refused: expect.stringMatching(/\. Nothing was changed; .*\.$/) })
    expect(copyStore(folder)).toEqual(before)
  })
})

it('says so to the person who starts the program', async () => {
  putStore(folder, { ...sample.killed, wal: undefined })
  await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({
    name: 'EmbeddedDatabaseError',
    code: 'corrupt',
    message: expect.stringContaining('is missing; the newest changes to the database were in it'),
  })
})

it('checks a file of an earlier version once, and then keeps its checksums', () => {
  const { main, wal } = sample.killed
  putStore(folder, { main, wal })
  const read = openAndRead(folder)
  putStore(folder, sample.stopped)
  expect(read).toEqual(openAndRead(folder))
  expect(existsSync(join(folder, 'data.sqlite-sums'))).toBe(true)
})

it('marks a file of an earlier version, so that this one refuses it from then on', () => {
  const version = (set = '') => {
    const db = new DatabaseSync(join(folder, 'data.sqlite'), { readOnly: set === '' })
    if (set) db.exec(`PRAGMA user_version=${set}`)
    const found = db.prepare('PRAGMA user_version').get()?.user_version
    db.close()
    return found
  }
  putStore(folder, { main: sample.stopped.main })
  version('1')
  openAndRead(folder)
  expect(version()).toBe(FORMAT)
  expect(FORMAT).toBeGreaterThan(1)
})

it('makes the checksums anew if the program ended before they were stored for the first time', () => {
  putStore(folder, {})
  openAndRead(folder)
  const { main, commits } = copyStore(folder)
  // As written first: version 0.
  expect(readdirSync(folder).sort()).toContain('data.sqlite-commits')
  expect(main && commits).toBeTruthy()
  putStore(folder, { main })
  expect(openAndRead(folder)).toEqual({ digest: expect.any(String) })
  expect(readFileSync(join(folder, 'data.sqlite-commits')).equals(commits ?? EMPTY)).toBe(true)
})

it('opens again if its first start was killed while a backup of the earlier version was open', async () => {
  putStore(folder, { main: sample.stopped.main })
  const whole = openAndRead(folder)
  const old = new DatabaseSync(join(folder, 'data.sqlite'))
  // As of a version without checksums, whose file could not shrink: the first start writes it anew.
  old.exec('PRAGMA auto_vacuum=NONE; VACUUM; PRAGMA user_version=1')
  old.close()
  putStore(folder, { main: copyStore(folder).main })
  const script = fileURLToPath(new URL('./testing/hold-snapshot.ts', import.meta.url))
  const backup = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder])
  const ended = once(backup, 'close')
  await once(backup.stdout, 'data')
  openFolder(folder, { durable: false, maxPages: undefined }).release()
  const meanwhile = copyStore(folder)
  expect(meanwhile.wal?.length).toBeGreaterThan(0)
  backup.stdin.end('end')
  await ended
  const afterwards = copyStore(folder)
  const reads = [meanwhile, afterwards].map((copy) => {
    putStore(folder, copy)
    return openAndRead(folder)
  })
  expect(reads).toEqual([whole, whole])
})

it('keeps the checksums of a file that shrinks', () => {
  putStore(folder, sample.stopped)
  const states = copiesDuring(folder, 1000, (store) => {
    store.db.exec('BEGIN IMMEDIATE')
    const { table } = store.ensureCollection('test', 'things')
    store.db.exec(`DELETE FROM ${table} WHERE rid > 20`)
    store.commit()
    store.db.exec('VACUUM')
    store.committed()
  })
  expect(states.stopped.main?.length).toBeLessThan(sample.stopped.main?.length ?? 0)
  const digests = [states.killed, states.stopped].map((copy) => {
    putStore(folder, copy)
    return openAndRead(folder)
  })
  expect(digests[0]).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(digests[1]).toEqual(digests[0])
})

it('raises no alarm over commits to a new log that it was not told of', () => {
  putStore(folder, sample.stopped)
  const { killed } = copiesDuring(folder, 1, (store) => {
    const commit = () => store.db.exec('UPDATE catalog_version SET version = version + 1')
    commit()
    // Moves the log, so that the next commit starts it over.
    store.committed()
    for (let n = 0; n < 3; n++) commit()
  })
  putStore(folder, killed)
  expect(openAndRead(folder)).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

describe('a check', () => {
  it('says of a whole store that it is', () => {
    putStore(folder, sample.killed)
    expect(checkStore(folder)).toMatchObject({ refusal: undefined, unsound: undefined, readable: 306, unreadable: 0 })
    expect(copyStore(folder)).toEqual(sample.killed)
  })

  it('finds what is whole but for its checksums, and makes new ones if asked', () => {
    putStore(folder, { ...sample.killed, sums: EMPTY })
    expect(checkStore(folder)).toMatchObject({
      refusal: expect.stringContaining('may be whole'),
      unsound: undefined,
      readable: 306,
    })
    acceptStore(folder)
    const accepted = openAndRead(folder)
    putStore(folder, sample.killed)
    expect(accepted).toEqual(openAndRead(folder))
  })

  it('says what SQLite finds in a damaged file', () => {
    const main = Buffer.from(sample.stopped.main ?? EMPTY)
    for (let at = 8192; at < main.length; at += 4096) main.fill(0xa5, at, at + 64)
    putStore(folder, { ...sample.stopped, main })
    const { refusal, unsound } = checkStore(folder)
    expect(refusal).toContain('is damaged')
    expect(unsound).toBeDefined()
  })
})
