import { withDatabaseLock } from '../../../lib/database/database-lock.ts'

const last = new Map<string, Promise<unknown>>()

/** Across processes: an item must not be given to answers while its points are being changed. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve()
  const alone = () => withDatabaseLock(`items/${key}`, work)
  const mine = before.then(alone, alone)
  const settled = mine.then(
    () => undefined,
    () => undefined,
  )
  last.set(key, settled)
  void settled.then(() => {
    if (last.get(key) === settled) last.delete(key)
  })
  return mine
}

/** For whatever changes a question's items, or gives them to answers. */
export const turnOf = ({ _id }: { _id: number }, { id }: { id: string }): string => `${_id}/${id}`
