import type { mongo } from 'mongoose'
import { OperatorError } from '../operator-error.ts'

export const UNFINISHED_COPY = 'unfinished_copy'
export const ONLY_A_PART = 'The database holds only a part of its data: a restore or a move has not finished.'

/** @throws {OperatorError} if a restore or a move was interrupted */
export async function assertWhole(db: mongo.Db): Promise<void> {
  const found = await db.listCollections({ name: UNFINISHED_COPY }, { nameOnly: true }).toArray()
  if (found.length === 0) return
  throw new OperatorError(
    `The database ${db.databaseName} holds only a part of its data: the restore or move that fills it has not finished. Run that again.`,
  )
}
