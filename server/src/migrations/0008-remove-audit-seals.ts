import type { mongo } from 'mongoose'

export async function removeAuditSeals(db: mongo.Db): Promise<void> {
  const [seals] = await db.listCollections({ name: 'audit_seals' }).toArray()
  if (!seals) return
  const audit = db.collection('audit')
  if (await audit.indexExists('seal_1')) await audit.dropIndex('seal_1')
  for (const jobs of ['jobs', 'failed_jobs']) await db.collection(jobs).deleteMany({ name: 'seal-audit' })
  await db.dropCollection('audit_seals')
}
