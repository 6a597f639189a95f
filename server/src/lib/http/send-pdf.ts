import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { PictureType } from '../picture-type.ts'
import type { FileStore } from '../storage/file-store.ts'
import { notFound } from './app-error.ts'

interface ByteRange {
  start: number
  end: number
}

/** Null for no range or one we answer in whole. */
function parseByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}

const CACHED = 'private, max-age=3600'
/** Names may be hidden or shown, so the browser asks whether its copy is current. */
export const REVALIDATED = 'private, no-cache'

/** `pdf`: its SHA-256 and download name. */
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

/** For a PDF made for this reader; `hash` changes with its content. */
export function sendMadePdf(
  { bytes, hash, name }: { bytes: Buffer; hash: string; name: string },
  request: Request,
  response: Response,
): Promise<void> {
  const read = (range: ByteRange | null) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
  return sendPdf({ hash, name, size: bytes.length, read, cacheControl: REVALIDATED }, request, response)
}

interface PdfToSend {
  hash: string
  name: string
  size: number
  read: (range: ByteRange | null) => Readable
  cacheControl: string
}

async function sendPdf({ hash, name, size, read, cacheControl }: PdfToSend, request: Request, response: Response) {
  response.set({
    'Content-Type': 'application/pdf',
    // Never shown by the browser itself, which would run a paper's JavaScript.
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
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
    if (!response.destroyed) throw error
  })
}

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
    if (!response.destroyed) throw error
  })
}
