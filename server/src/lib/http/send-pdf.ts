import { Readable } from 'node:stream'
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

/** For what is always the same. */
const CACHED = 'private, max-age=3600'
/** For what changes when names are hidden or shown: the browser asks whether it still has the right one. */
export const REVALIDATED = 'private, no-cache'

/**
 * Sends a stored PDF, whole or the requested range.
 * @param pdf its SHA-256 and the name to save it under
 */
export async function sendStoredPdf(
  pdf: { hash: string; name: string },
  files: FileStore,
  request: Request,
  response: Response,
  cacheControl = CACHED,
): Promise<void> {
  const size = await files.size(pdf.hash)
  if (size === null) throw notFound('This paper is no longer stored.')
  const read = (range: ByteRange | null) => files.read(pdf.hash, range ?? undefined)
  await sendPdf({ ...pdf, size, read, cacheControl }, request, response)
}

/** Sends a PDF made for this reader, like `sendStoredPdf`. `hash` changes with its content. */
export function sendMadePdf(
  { bytes, hash, name }: { bytes: Buffer; hash: string; name: string },
  request: Request,
  response: Response,
): Promise<void> {
  const read = (range: ByteRange | null) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
  return sendPdf({ hash, name, size: bytes.length, read, cacheControl: REVALIDATED }, request, response)
}

/** In bytes, both included. */
interface ByteRange {
  start: number
  end: number
}

interface PdfToSend {
  hash: string
  name: string
  /** In bytes. */
  size: number
  read: (range: ByteRange | null) => Readable
  cacheControl: string
}

/** Whole, or the requested range (RFC 9110, section 14). */
async function sendPdf(
  { hash, name, size, read, cacheControl }: PdfToSend,
  request: Request,
  response: Response,
): Promise<void> {
  response.set({
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    ETag: `"${hash}"`,
  })
  if (request.headers['if-none-match'] === `"${hash}"`) {
    response.status(304).end()
    return
  }
  const range = parseByteRange(request.headers.range, size)
  if (range === 'unsatisfiable') {
    response.status(416).set('Content-Range', `bytes */${size}`).end()
    return
  }
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  response.set('Content-Length', String(range ? range.end - range.start + 1 : size))
  await pipeline(read(range), response).catch((error: unknown) => {
    // The viewer has disconnected, so there is no one to send an error to.
    if (!response.destroyed) throw error
  })
}
