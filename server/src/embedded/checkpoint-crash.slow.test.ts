import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seededRandom } from '../lib/seeded-random.ts'
import { decode } from './bson-values.ts'
import { openFolder } from './storage/open-store.ts'
import { makeFolder, openTestDatabase } from './testing/test-database.ts'

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, ...values: unknown[]): ChildProcess {
  const file = fileURLToPath(new URL(`./testing/${script}`, import.meta.url))
  const flags = ['--disable-warning=ExperimentalWarning']
  return spawn(process.execPath, [...flags, file, folder, ...values.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** What the child printed until it ended, killed after `lines` lines or by itself. */
async function linesOf(child: ChildProcess, killAfter = Number.POSITIVE_INFINITY): Promise<number[]> {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.split('\n').length > killAfter) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return output.split('\n').slice(0, -1).map(Number)
}

function storedIds(): Set<number> {
  const opened = openFolder(folder, { maxPages: undefined, durable: false })
  const store = opened.openStore()
  store.refresh()
  const { table } = store.ensureCollection('test', 'things')
  const rows = store.prepare(`SELECT doc FROM ${table}`).all()
  expect(store.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  store.finish()
  store.close()
  opened.release()
  return new Set(rows.map((row) => Number(decode(row.doc as Uint8Array)._id)))
}

it('opens again and loses nothing, killed thirty times while it moves its log into the file', async () => {
  const next = seededRandom(30)
  const committed: number[] = []
  for (let round = 0; round < 30; round++) {
    const lines = await linesOf(run('commit-loop.ts', round * 100_000), 1 + Math.floor(next() * 60))
    expect(lines.length).toBeGreaterThan(0)
    committed.push(...lines)
    // The child opens what the round before has left; every third time we do.
    if (round % 3 !== 2) continue
    const stored = storedIds()
    expect(committed.filter((n) => !stored.has(n))).toEqual([])
  }
})

it('opens again and loses nothing after an exit that closed the connections of its thread', async () => {
  const acknowledged = [
    ...(await linesOf(run('write-loop.ts', 0, 40))),
    ...(await linesOf(run('write-loop.ts', 100_000, 25))),
  ]
  const { connection, close } = await openTestDatabase({}, folder)
  const docs = await connection.getClient().db('test').collection('things').find().toArray()
  const stored = new Set(docs.map((doc) => Number(doc._id)))
  expect(acknowledged.length).toBeGreaterThan(40)
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
  await close()
})
