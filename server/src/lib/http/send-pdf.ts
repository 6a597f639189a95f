import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { FileStore } from '../storage/file-store.ts'
import { notFound } from './app-error.ts'

/** `bytes=0-1023` as bytes, both included; null when there is no range or it is one we answer in whole. */
function parseByteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}

/**
 * Sends a stored PDF, whole or the requested range (RFC 9110, section 14). Its content never changes, so browsers may cache it.
 * @param pdf its SHA-256 and the name to save it under
 */
export async function sendPdf(
  pdf: { hash: string; name: string },
  files: FileStore,
  request: Request,
  response: Response,
): Promise<void> {
  const size = await files.size(pdf.hash)
  if (size === null) throw notFound('This paper is no longer stored.')
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(pdf.name)}`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    ETag: `"${pdf.hash}"`,
  })
  const range = parseByteRange(request.headers.range, size)
  if (range === 'unsatisfiable') {
    response.status(416).set('Content-Range', `bytes */${size}`).end()
    return
  }
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  response.set('Content-Length', String(range ? range.end - range.start + 1 : size))
  await pipeline(files.read(pdf.hash, range ?? undefined), response).catch((error: unknown) => {
    // The viewer has disconnected, so there is no one to send an error to.
    if (!response.destroyed) throw error
  })
}
