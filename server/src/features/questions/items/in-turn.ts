import { withDatabaseLock } from '../../../lib/database/database-lock.ts'
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts'

const inThisProcess = createKeyedMutex()

/** For whatever changes a question's items or gives them to answers: an item's points must not change meanwhile. */
export function inTurn<T>(assignment: { _id: number }, question: { id: string }, work: () => Promise<T>): Promise<T> {
  const key = `items/${assignment._id}/${question.id}`
  return inThisProcess(key, () => withDatabaseLock(key, work))
}
