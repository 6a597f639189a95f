import type { mongo } from 'mongoose'
import type { RetentionNotice } from '../../records/assignments/assignment.model.ts'
import { deletionDate } from './retention-rule.ts'

/**
 * For a database as it was some time ago: what was announced in it is mailed again, and its 14 days begin anew. Whoever took a notice back
 * since then has done so in vain. A deletion that had begun is completed.
 */
export async function announceAgain(db: mongo.Db, now: Date): Promise<void> {
  const announced = { 'retention_notice.mailed': true, 'retention_notice.deleting': { $exists: false } }
  await db.collection<{ retention_notice?: RetentionNotice }>('assignments').updateMany(announced, {
    $set: { 'retention_notice.mailed': false, 'retention_notice.delete_at': deletionDate(now) },
  })
}
