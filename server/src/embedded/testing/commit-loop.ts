import { writeSync } from 'node:fs'
import { encode } from '../bson-values.ts'
import { openFolder } from '../storage/open-store.ts'

// Run as a separate process by checkpoint-crash.slow.test.ts, which kills it. Commits one document after the other with a checkpoint every few
// commits, and prints each. Every now and then another connection reads an older state, so that a checkpoint moves a part only.
const [folder = '', from = '0'] = process.argv.slice(2)
const opened = openFolder(folder, { maxPages: undefined, durable: true, checkpointFrames: 12 })
const store = opened.openStore()
const reader = opened.openStore()
store.refresh()
for (let n = Number(from); ; n++) {
  if (n % 23 === 5) reader.db.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
  if (n % 23 === 18 && reader.db.isTransaction) reader.db.exec('COMMIT')
  store.db.exec('BEGIN IMMEDIATE')
  store.ensureCollection('test', 'things').insert(encode({ _id: n, text: 'x'.repeat((n * 61) % 3000) }))
  store.commit()
  writeSync(1, `${n}\n`)
}
