import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { PictureType } from '../picture-type.ts'
import type { FileStore } from '../storage/file-store.ts'
import { notFound } from './app-error.ts'

/** What is stored never changes: the browser need not ask again. With a name it is to be saved, not shown. */
export async function sendStoredPicture(
  { hash, type, saveAs }: { hash: string; type: PictureType; saveAs?: string },
  files: FileStore,
  response: Response,
): Promise<void> {
  const size = await files.size(hash)
  if (size === null) throw notFound('This picture is no longer stored.')
  response.set({
    'Content-Type': `image/${type}`,
    'Content-Length': String(size),
    'Cache-Control': 'private, max-age=3600',
    ETag: `"${hash}"`,
    ...(saveAs && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(saveAs)}` }),
  })
  await pipeline(files.read(hash), response).catch((error: unknown) => {
    // Whoever asked has gone: there is no one to send an error to.
    if (!response.destroyed) throw error
  })
}
