import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFolder } from '../storage/open-store.ts'
import type { Store } from '../storage/store.ts'
import { makeFolder } from '../testing/test-database.ts'
import { GroupCommit } from './group-commit.ts'

const path = makeFolder()
let folder: ReturnType<typeof openFolder>
let store: Store
beforeEach(() => {
  folder = openFolder(path, { durable: false, maxPages: undefined })
  store = folder.openStore()
  store.refresh()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  store.close()
  folder.release()
  rmSync(path, { recursive: true, force: true })
})

it('lets a write wait for a transaction from when that has the writer', async () => {
  const writes = new GroupCommit(store, 100)
  await writes.acquireWriter('command')
  const transaction = writes.acquireWriter('transaction')
  const given: unknown[] = []
  const write = writes.write(() => 'written').catch((error: unknown) => given.push(error))
  await vi.advanceTimersByTimeAsync(80)
  writes.releaseWriter()
  await transaction
  await vi.advanceTimersByTimeAsync(90)
  expect(given).toEqual([])
  await vi.advanceTimersByTimeAsync(20)
  await write
  expect(given).toEqual([expect.objectContaining({ codeName: 'LockTimeout' })])
  writes.releaseWriter()
})
