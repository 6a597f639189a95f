import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { encode } from './bson-values.ts'
import { NotQuick, runQuickly } from './command-limits.ts'
import { commandContext } from './commands/command.ts'
import { find } from './commands/find.commands.ts'
import { Cursors } from './engine/cursors.ts'
import { normaliseDocument } from './storage/collection.ts'
import { openFolder } from './storage/open-store.ts'
import { makeFolder } from './testing/test-database.ts'
import { parseRequest } from './wire/message.ts'

const path = makeFolder()
let folder: ReturnType<typeof openFolder>
beforeAll(() => {
  folder = openFolder(path, { durable: false })
})
afterAll(() => {
  folder.release()
  rmSync(path, { recursive: true, force: true })
})
afterEach(() => vi.restoreAllMocks())

/** A message as a driver sends it. */
function requestOf(body: Record<string, unknown>) {
  const bytes = encode(body)
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + bytes.length, 0)
  head.writeInt32LE(2013, 12)
  return parseRequest(Buffer.concat([head, bytes]))
}

it('leaves nothing open when it has to go to a thread of its own, however far it has come', () => {
  const [store, other] = [folder.openStore(), folder.openStore()]
  store.refresh()
  store.db.exec('BEGIN')
  const collection = store.ensureCollection('test', 'many')
  for (let n = 0; n < 2000; n++) collection.insert(normaliseDocument(encode({ _id: n, a: 1, text: 'x'.repeat(400) })))
  store.createIndex(collection, { key: { a: 1 }, name: 'a' })
  store.db.exec('COMMIT')

  const context = commandContext(requestOf({ find: 'many', filter: { a: 1 }, $db: 'test' }), {
    store,
    cursors: new Cursors(),
    reply: () => ({ ok: 1 }),
  })
  const clock = vi.spyOn(performance, 'now')
  /** How often it looks at the clock, by which its time is over at the look of this number. */
  const run = (last: number) => {
    let looks = -1
    clock.mockImplementation(() => (++looks === last ? 1_000 : 0))
    runQuickly(1_000, () => find.run(context))
    return looks
  }
  const looks = run(-1)
  // Some of them after the first batch, whose documents are some 600.
  expect(looks).toBeGreaterThan(40)
  for (let last = 1; last <= looks; last++) {
    expect(() => run(last)).toThrow(NotQuick)
    other.db.exec(`BEGIN IMMEDIATE; UPDATE catalog_version SET version = ${100 + last}; COMMIT`)
    // Refused to one that still reads from before.
    expect(() => store.db.exec('BEGIN IMMEDIATE; COMMIT'), `look ${last} of ${looks}`).not.toThrow()
    store.refresh()
  }
  store.close()
  other.close()
})
