import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { encode } from './bson-values.ts'
import { rowsToChange } from './query/rows-to-change.ts'
import { normaliseDocument } from './storage/collection.ts'
import { releasePages, sparePages } from './storage/free-pages.ts'
import { openFolder } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { makeFolder, openTestDatabase } from './testing/test-database.ts'

const MEGABYTE = 1024 * 1024
let path: string
beforeEach(() => {
  path = makeFolder()
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const file = () => join(path, 'data.sqlite')

function withStore<T>(work: (store: Store) => T): T {
  const folder = openFolder(path, { durable: false, maxPages: undefined })
  const store = folder.openStore()
  try {
    store.refresh()
    return work(store)
  } finally {
    store.finish()
    store.close()
    folder.release()
  }
}

/** 20 MB, of which 2 stay. */
function fillAndDelete(store: Store): void {
  const collection = store.ensureCollection('test', 'things')
  for (let n = 0; n < 2000; n++) {
    collection.insert(normaliseDocument(encode({ _id: n, text: String(n % 10).repeat(10_000) })))
  }
  for (const row of rowsToChange(collection, { filter: { _id: { $gte: 200 } } })) collection.remove(row)
}

it('keeps what it would need again at once', () => {
  withStore((store) => {
    fillAndDelete(store)
    const free = () => store.prepare('PRAGMA freelist_count').get()?.freelist_count
    const before = free()
    expect(before).toBeGreaterThan(1000)
    releasePages(store, 0)
    expect(free()).toBe(before)
  })
})

it('gives the space of deleted documents back to the disk', () => {
  withStore((store) => {
    fillAndDelete(store)
    store.emptyLog()
    expect(statSync(file()).size).toBeGreaterThan(18 * MEGABYTE)
    while (sparePages(store) > 0) {
      releasePages(store, 200)
      store.committed()
    }
    store.emptyLog()
    // What is stored, and a thousand free pages.
    expect(statSync(file()).size).toBeLessThan(8 * MEGABYTE)
    expect(store.collection('test.things')?.count()).toBe(200)
    expect(store.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})

it('leaves a store that a start finds whole, wherever the program ended', () => {
  const copies: string[] = []
  const copy = () => {
    const to = makeFolder()
    copies.push(to)
    for (const name of readdirSync(path)) {
      if (/sqlite(-wal|-sums|-commits)?$/.test(name)) copyFileSync(join(path, name), join(to, name))
    }
  }
  const counts = withStore((store) => {
    store.db.exec('BEGIN')
    fillAndDelete(store)
    store.commit()
    copy()
    while (sparePages(store) > 0) {
      releasePages(store, 300)
      store.committed()
      copy()
    }
    store.emptyLog()
    copy()
    // Grows again where it was cut.
    const things = store.collection('test.things')
    for (let n = 2000; n < 2400; n++) {
      things?.insert(normaliseDocument(encode({ _id: n, text: 'new'.repeat(5_000) })))
      store.committed()
      if (n % 100 === 0) copy()
    }
    return copies.length
  })
  expect(counts).toBeGreaterThan(15)
  const original = path
  for (const folder of copies) {
    path = folder
    withStore((store) => {
      expect(store.collection('test.things')?.count()).toBeGreaterThanOrEqual(200)
      expect(store.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    })
    rmSync(folder, { recursive: true, force: true })
  }
  path = original
})

it('does so while it runs', async () => {
  const { connection, folder, lines, close } = await openTestDatabase({ sweepMs: 20, durable: false })
  const things = connection.collection('things')
  await things.insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: String(n % 10).repeat(10_000) })))
  await things.deleteMany({ n: { $gte: 200 } })
  await expect.poll(() => statSync(join(folder, 'data.sqlite')).size).toBeLessThan(8 * MEGABYTE)
  expect(await things.countDocuments()).toBe(200)
  expect(lines).toEqual([])
  await close()
})

it('rewrites a file from before it could shrink, once, at a start', () => {
  withStore(fillAndDelete)
  rmSync(`${file()}-sums`)
  rmSync(`${file()}-commits`)
  const old = new DatabaseSync(file())
  old.exec('PRAGMA journal_mode=DELETE; PRAGMA auto_vacuum=NONE; VACUUM')
  old.exec('CREATE TABLE filler (bytes BLOB)')
  old.exec(`INSERT INTO filler VALUES (zeroblob(${20 * MEGABYTE}))`)
  old.exec('DROP TABLE filler')
  expect(old.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 0 })
  old.close()
  expect(statSync(file()).size).toBeGreaterThan(20 * MEGABYTE)
  withStore((store) => {
    expect(statSync(file()).size).toBeLessThan(4 * MEGABYTE)
    expect(store.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 })
    expect(store.collection('test.things')?.count()).toBe(200)
  })
})
