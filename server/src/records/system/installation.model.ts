import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'

/** Not in backups: a restored database is another installation. */
export const INSTALLATIONS = 'installations'

/** A paper store holds the papers of one installation only. */
interface InstallationDoc {
  _id: 'this'
  id: string
}

const installationSchema = new mongoose.Schema<InstallationDoc>(
  {
    _id: String,
    id: { type: String, required: true },
  },
  { versionKey: false },
)
export const InstallationModel = mongoose.model('Installation', installationSchema, INSTALLATIONS)

/** Made at the first start. */
export async function installationId(): Promise<string> {
  const { id } = await InstallationModel.findOneAndUpdate(
    { _id: 'this' },
    { $setOnInsert: { id: randomUUID() } },
    { upsert: true, returnDocument: 'after' },
  )
    .orFail()
    .lean()
  return id
}
