import type { Collection, StoredDocument } from '../storage/collection.ts'
import { type FindSpec, findStored } from './find.ts'

const BYTES_HELD = 4 * 1024 * 1024

/**
 * What `findStored` finds, to be changed one by one. All are found before the first is given: a change may move a document in the index
 * being scanned, where it would be met again. The first few are held, of the others only the row numbers. No one else writes meanwhile, so
 * that a row still has what was found.
 */
export function* rowsToChange(collection: Collection, spec: FindSpec): Generator<StoredDocument> {
  const held: StoredDocument[] = []
  let bytes = 0
  let rids = new Float64Array(0)
  let count = 0
  for (const row of findStored(collection, spec)) {
    bytes += row.bytes.length
    if (bytes <= BYTES_HELD || held.length === 0) {
      held.push(row)
      continue
    }
    if (count === rids.length) {
      const larger = new Float64Array(Math.max(1024, rids.length * 2))
      larger.set(rids)
      rids = larger
    }
    rids[count++] = row.rid
  }
  yield* held
  held.length = 0
  for (const rid of rids.subarray(0, count)) {
    const found = collection.read(rid)
    if (found) yield { rid, bytes: found }
  }
}
