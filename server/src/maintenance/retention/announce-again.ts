import type { mongo } from 'mongoose'
import type { RetentionNotice } from '../../records/assignments/assignment.model.ts'
import { deletionDate } from './retention-rule.ts'

/** After a restore: announced deletions, even if withdrawn since, get 14 new days and a mail; begun ones complete. */
export async function announceAgain(db: mongo.Db, now: Date): Promise<void> {
  const announced = { 'retention_notice.mailed': true, 'retention_notice.deleting': { $exists: false } }
  await db.collection<{ retention_notice?: RetentionNotice }>('assignments').updateMany(announced, {
    $set: { 'retention_notice.mailed': false, 'retention_notice.delete_at': deletionDate(now) },
  })
}
