import type { mongo } from 'mongoose'

export async function renameLlmCallError(db: mongo.Db): Promise<void> {
  await db.collection('llm_calls').updateMany({ trouble: { $exists: true } }, { $rename: { trouble: 'error_code' } })
}
