import { writeSync } from 'node:fs'
import { openSnapshot } from '../storage/read-snapshot.ts'

// Run as a separate process by damage.slow.test.ts: a backup that has begun, until it is told to end.
const snapshot = openSnapshot(process.argv[2] ?? '', 'test')
writeSync(1, 'open\n')
process.stdin.once('data', () => {
  snapshot.close()
  process.stdin.destroy()
})
