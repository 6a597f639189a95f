import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { pdfjs } from 'react-pdf'
import type { PageSize } from './page-geometry.ts'

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

export interface PdfSource {
  url: string
  headers: Record<string, string>
}

type Task = ReturnType<typeof pdfjs.getDocument>
type Document = Awaited<Task['promise']>

export interface OpenPdf {
  document: Document
  /** Other pages are assumed to have this size until they are looked at. */
  first: PageSize
}

interface Entry {
  task: Task
  opening: Promise<OpenPdf | PdfLoadError>
  /** Once known, a prefetched paper shows without a flicker. */
  outcome: OpenPdf | PdfLoadError | null
}

export class PdfLoadError extends Error {
  override name = 'PdfTrouble'
}

function toPdfLoadError(cause: unknown): PdfLoadError {
  const name = cause instanceof Error ? cause.name : ''
  const words =
    name === 'PasswordException'
      ? 'This PDF is password-protected and cannot be shown.'
      : name === 'InvalidPDFException'
        ? 'This file is damaged and cannot be shown.'
        : 'The paper could not be loaded.'
  return new PdfLoadError(words, { cause })
}

const entries = new Map<string, Entry>()
const keyOf = (source: PdfSource) => JSON.stringify(source)

const files = `${import.meta.env.BASE_URL}assets/pdfjs-${pdfjs.version}/`

function startLoading(source: PdfSource): Entry {
  const task = pdfjs.getDocument({
    url: source.url,
    httpHeaders: source.headers,
    // A scan may have 50 MB: only the pages looked at are fetched.
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: 2 ** 18,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    iccUrl: `${files}iccs/`,
    maxImageSize: 2 ** 26,
    enableXfa: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  const opening = task.promise.then(readFirstPage).catch(toPdfLoadError)
  const entry: Entry = { task, opening, outcome: null }
  void opening.then((outcome) => {
    entry.outcome = outcome
  })
  return entry
}

async function readFirstPage(document: Document): Promise<OpenPdf> {
  return { document, first: await pageSize(document, 1) }
}

export async function pageSize(document: Document, number: number): Promise<PageSize> {
  const page = await document.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height, rotate: page.rotate }
}

export function openPdf(source: PdfSource): OpenPdf | PdfLoadError | Promise<OpenPdf | PdfLoadError> {
  const key = keyOf(source)
  const entry = entries.get(key) ?? startLoading(source)
  entries.set(key, entry)
  return entry.outcome ?? entry.opening
}

export function closePdf(source: PdfSource): void {
  close(keyOf(source))
}

/** Each open PDF holds a worker and its pages. */
export function closePdfsExcept(sources: PdfSource[]): void {
  const wanted = new Set(sources.map(keyOf))
  for (const key of entries.keys()) if (!wanted.has(key)) close(key)
}

function close(key: string): void {
  // Fails where it is still being opened; either way it is gone.
  void entries
    .get(key)
    ?.task.destroy()
    .catch(() => {})
  entries.delete(key)
}
