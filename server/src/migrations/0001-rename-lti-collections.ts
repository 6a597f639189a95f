import type { mongo } from 'mongoose'
import { renameCollection } from './migration.ts'

const renamed = {
  lti_door_log: 'lti_launch_log',
  lti_answers: 'lti_deep_link_responses',
  lti_senders: 'lti_platform_pauses',
}

export async function renameLtiCollections(db: mongo.Db): Promise<void> {
  for (const [from, to] of Object.entries(renamed)) await renameCollection(db, from, to)
  await db.collection('lti_launch_log').updateMany({ outcome: 'let_in' }, { $set: { outcome: 'accepted' } })
}
