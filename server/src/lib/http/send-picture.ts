import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { PictureType } from '../picture-type.ts'
import type { FileStore } from '../storage/file-store.ts'
import { notFound } from './app-error.ts'

/** The browser asks each time whether it may have it: names may be hidden meanwhile. */
export async function sendStoredPicture(
  { hash, ...how }: { hash: string } & ({ type: PictureType } | { saveAs: string }),
  files: FileStore,
  response: Response,
): Promise<void> {
  const size = await files.size(hash)
  if (size === null) throw notFound('This picture is no longer stored.')
  response.set({
    'Content-Type': 'type' in how ? `image/${how.type}` : 'application/octet-stream',
    'Content-Length': String(size),
    'Cache-Control': 'private, no-cache',
    ETag: `"${hash}"`,
    ...('saveAs' in how && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(how.saveAs)}` }),
  })
  await pipeline(files.read(hash), response).catch((error: unknown) => {
    // The viewer has disconnected.
    if (!response.destroyed) throw error
  })
}
