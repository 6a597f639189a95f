import type { mongo } from 'mongoose'

/** Amendments under way are completed at the server's start. */
export async function dropAmendmentPreviews(db: mongo.Db): Promise<void> {
  const notBegun = { state: { $in: ['computing', 'ready', 'stopped', 'failed'] } }
  await db.collection('rubric_amendments').deleteMany(notBegun)
  await db.collection('jobs').deleteMany({ name: 'amend-rubric' })
}
