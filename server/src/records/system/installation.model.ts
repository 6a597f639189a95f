import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'

/** Left out of backups: what is restored from one is another installation. */
export const INSTALLATIONS = 'installations'

/** Which installation of Assay this database is of. A paper store has its papers for one alone. */
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

/** Made at the first start, whichever process is first. */
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
