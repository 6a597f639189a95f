import type { mongo } from 'mongoose'
import { renameFields } from './migration.ts'

export async function renameLlmCallError(db: mongo.Db): Promise<void> {
  await renameFields(db, [{ collection: 'llm_calls', from: 'trouble', to: 'error_code' }])
}
