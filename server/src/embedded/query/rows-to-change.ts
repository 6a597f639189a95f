import type { Collection, StoredDocument } from '../storage/collection.ts'
import { RowSet } from '../storage/row-set.ts'
import { type FindSpec, findStored } from './find.ts'

const BYTES_HELD = 4 * 1024 * 1024

/**
 * What `findStored` finds, to be changed one by one. All are found before the first is given: a change may move a document in the index
 * being scanned, where it would be met again. The first few are held, of the others only the row numbers, so that those come in the order
 * of rows: where the order counts, one is changed. No one else writes meanwhile, so that a row still has what was found.
 */
export function* rowsToChange(collection: Collection, spec: FindSpec): Generator<StoredDocument> {
  const held: StoredDocument[] = []
  let bytes = 0
  const others = new RowSet()
  for (const row of findStored(collection, spec)) {
    bytes += row.bytes.length
    if (bytes <= BYTES_HELD || held.length === 0) held.push(row)
    else others.add(row.rid)
  }
  yield* held
  held.length = 0
  for (const rid of others) {
    const found = collection.read(rid)
    if (found) yield { rid, bytes: found }
  }
}
