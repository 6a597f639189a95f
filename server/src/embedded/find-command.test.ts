import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encode } from './bson-values.ts'
import { NotQuick, UNLIMITED, withLimits } from './command-limits.ts'
import { find } from './commands/find.commands.ts'
import { Cursors } from './engine/cursors.ts'
import { commandContext } from './engine/run-command.ts'
import { normaliseDocument } from './storage/collection.ts'
import { openFolder } from './storage/open-store.ts'
import { makeFolder } from './testing/test-database.ts'
import type { Request } from './wire/message.ts'

const path = makeFolder()
let folder: ReturnType<typeof openFolder>
beforeAll(() => {
  folder = openFolder(path, { durable: true, maxPages: undefined })
})
afterAll(() => {
  folder.release()
  rmSync(path, { recursive: true, force: true })
})

it('leaves nothing open when it has to go to a thread of its own, however far it has come', () => {
  const [store, other] = [folder.openStore(), folder.openStore()]
  store.refresh()
  store.db.exec('BEGIN')
  const collection = store.ensureCollection('test', 'many')
  for (let n = 0; n < 2000; n++) collection.insert(normaliseDocument(encode({ _id: n, a: 1, text: 'x'.repeat(400) })))
  store.createIndex(collection, { key: { a: 1 }, name: 'a' })
  store.db.exec('COMMIT')

  const body = { find: 'many', filter: { a: 1 }, $db: 'test' }
  const context = commandContext({ body } as unknown as Request, store, new Cursors(), path)
  /** How often it looks at the clock, and ends at the look of this number. */
  const run = (last: number) => {
    let looks = 0
    const poll = () => {
      if (++looks === last) throw new NotQuick()
    }
    withLimits({ ...UNLIMITED, poll }, () => find.run(context))
    return looks
  }
  const looks = run(0)
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
