import type { mongo } from 'mongoose'

/**
 * What a change to a rubric would move used to be stored, and computed and applied by a job. Those that were not begun are gone; one that
 * was under way is completed when the server starts.
 */
export async function dropAmendmentPreviews(db: mongo.Db): Promise<void> {
  const notBegun = { state: { $in: ['computing', 'ready', 'stopped', 'failed'] } }
  await db.collection('rubric_amendments').deleteMany(notBegun)
  await db.collection('jobs').deleteMany({ name: 'amend-rubric' })
}
