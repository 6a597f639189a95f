import { randomUUID } from 'node:crypto'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Not in backups: a restored database is another installation. */
export const INSTALLATIONS = 'installations'

/** A paper store holds the papers of one installation only. */
interface InstallationDoc {
  _id: 'this'
  id: string
}

const installationSchema = defineSchema<InstallationDoc>({
  _id: String,
  id: { type: String, required: true },
})
export const InstallationModel = defineModel('Installation', installationSchema, INSTALLATIONS)

/** Made at the first start. */
export async function installationId(): Promise<string> {
  const { id } = await InstallationModel.findOneAndUpdate(
    { _id: 'this' },
    { $setOnInsert: { id: randomUUID() } },
    { upsert: true },
  )
    .orFail()
    .lean()
  return id
}
