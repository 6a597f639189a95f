import { randomUUID } from 'node:crypto'
import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Not in backups: a restored database is another installation. */
export const INSTALLATIONS = 'installations'

/** A paper store holds the papers of one installation only. */
const installationSchema = schemaOf({ _id: field.id<'this'>(String), id: field.required(String) })
export const InstallationModel = defineModel('Installation', installationSchema, INSTALLATIONS)

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
