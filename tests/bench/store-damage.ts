/**
 * Flips a thousand bits of the embedded store's files, one at a time, and counts those after which it starts with something lost or
 * changed: `node tests/bench/store-damage.ts [FLIPS] [SEED]`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillSampleStore, flipBits } from '../../server/src/embedded/testing/damaged-store.ts'
import { makeFolder } from '../../server/src/embedded/testing/test-database.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'

const [flips = '1000', seed = '1'] = process.argv.slice(2)
const folder = makeFolder()
try {
  const sample = fillSampleStore(join(folder, 'sample'))
  const { refused, harmless, unseen } = flipBits(
    join(folder, 'store'),
    sample,
    seededRandom(Number(seed)),
    Number(flips),
  )
  console.log(`${flips} flipped bits: ${refused} refused, ${harmless} harmless, ${unseen.length} unseen`)
  for (const line of unseen) console.log(`unseen: ${line}`)
  process.exitCode = unseen.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
