import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireFreeDisk } from '../http/uploads.ts'
import type { FileStore } from './file-store.ts'

/** As an uploaded file is stored. @throws {AppError} `storage_full` */
export async function storeMadeFile(
  bytes: Buffer,
  { files, uploadFolder, config }: { files: FileStore; uploadFolder: string; config: { minFreeDiskBytes: number } },
): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  await requireFreeDisk(uploadFolder, config.minFreeDiskBytes, bytes.length)
  const path = join(uploadFolder, randomUUID())
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    await files.store(path, hash)
  } finally {
    await rm(path, { force: true })
  }
  return { hash, size: bytes.length }
}
