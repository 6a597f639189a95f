import type { mongo } from 'mongoose'

/** Stored previews of amendments that were not begun go; one under way is completed at the server's start. */
export async function dropAmendmentPreviews(db: mongo.Db): Promise<void> {
  const notBegun = { state: { $in: ['computing', 'ready', 'stopped', 'failed'] } }
  await db.collection('rubric_amendments').deleteMany(notBegun)
  await db.collection('jobs').deleteMany({ name: 'amend-rubric' })
}
