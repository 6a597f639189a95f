import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { batchesOf } from '../../lib/batches.ts'
import { ignoreDuplicateKey } from '../../lib/database/database.ts'
import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Not in backups: each version brings its own. */
export const CLIENT_FILES = 'client_files'
const KEPT_SECONDS = 90 * 24 * 60 * 60
const BATCH = 50

const clientFileSchema = schemaOf({
  _id: field.id(String),
  content: field.required(Buffer),
  used_at: field.required(Date),
})
clientFileSchema.index({ used_at: 1 }, { expireAfterSeconds: KEPT_SECONDS })
export const ClientFileModel = defineModel('ClientFile', clientFileSchema, CLIENT_FILES)

/** Processes of other versions serve this one's open pages. */
export async function storeClientFiles(folder: string, now: Date): Promise<void> {
  const assets = join(folder, 'assets')
  const entries = await readdir(assets, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(assets.length + 1))
  const known = await ClientFileModel.find({ _id: { $in: names } }, { _id: 1 }).lean()
  await ClientFileModel.updateMany({ _id: { $in: names } }, { $set: { used_at: now } })
  const stored = new Set(known.map(({ _id }) => _id))
  const missing = names.filter((name) => !stored.has(name))
  for (const batch of batchesOf(missing, BATCH)) {
    const files = batch.map(async (name) => ({ _id: name, content: await readFile(join(assets, name)), used_at: now }))
    // Another process of this version may start at the same moment.
    await ClientFileModel.insertMany(await Promise.all(files), { ordered: false, lean: true }).catch(ignoreDuplicateKey)
  }
}

export async function readClientFile(name: string): Promise<Buffer | null> {
  const found = await ClientFileModel.findOne({ _id: name }, { content: 1 }).lean()
  if (!found) return null
  // Lean documents have the driver's type.
  const content: Buffer | mongoose.mongo.Binary = found.content
  return content instanceof mongoose.mongo.Binary ? Buffer.from(content.buffer) : content
}
