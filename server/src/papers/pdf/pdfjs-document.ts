import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { inflateSync } from 'node:zlib'
import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'

const inflate = async (bytes: Uint8Array) => new Uint8Array(inflateSync(bytes))

/** Each stream is in memory as a whole, and Node's DecompressionStream takes longer than inflating at once. */
class InflateAtOnce {
  #inflated: Promise<Uint8Array | undefined> = Promise.resolve(undefined)

  readonly writable = {
    getWriter: () => ({
      write: async (bytes: Uint8Array) => {
        this.#inflated = inflate(bytes)
        await this.#inflated
      },
      close: async () => {},
    }),
  }

  readonly readable = {
    getReader: () => ({
      read: async () => {
        const value = await this.#inflated
        this.#inflated = Promise.resolve(undefined)
        return { value, done: value === undefined }
      },
    }),
  }
}

const { DecompressionStream: OfNode } = globalThis
Object.assign(globalThis, {
  DecompressionStream: function Decompress(format: ConstructorParameters<typeof OfNode>[0]) {
    return format === 'deflate' ? new InflateAtOnce() : new OfNode(format)
  },
})

interface PdfjsDocument {
  pdf: PDFDocumentProxy
  bytes: Buffer
}

const pdfjsFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const pdfjsSubfolder = (name: string) => `${pdfjsFolder}${sep}${name}${sep}`

/** @throws {PaperError} */
export async function withPdfjsDocument<T>(
  file: string,
  limits: PaperLimits,
  use: (document: PdfjsDocument) => Promise<T>,
): Promise<T> {
  const bytes = await readFile(file)
  const task = getDocument({
    // pdf.js transfers the array it is given, and other checks need the bytes.
    data: new Uint8Array(bytes),
    cMapUrl: pdfjsSubfolder('cmaps'),
    cMapPacked: true,
    // No `standardFontDataUrl`: extraction needs no glyph shapes, and parsing them would double the time.
    wasmUrl: pdfjsSubfolder('wasm'),
    iccUrl: pdfjsSubfolder('iccs'),
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: limits.megapixels * 1e6,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    checkPageCount(pdf.numPages, limits)
    return await use({ pdf, bytes })
  } catch (error) {
    throw toPaperError(error)
  } finally {
    await task.destroy()
  }
}

function checkPageCount(pages: number, limits: PaperLimits): void {
  if (pages < 1) throw new PaperError('empty', 'This PDF has no pages. Export it again and upload the new file.')
  if (pages > limits.pages)
    throw new PaperError(
      'too_many_pages',
      `This PDF has ${pages.toLocaleString('en')} pages, and at most ${limits.pages.toLocaleString('en')} can be read. Split it and upload only the pages to be graded.`,
    )
}

function toPaperError(error: unknown): unknown {
  if (error instanceof PaperError || isWasmTrap(error)) return error
  if (error instanceof PasswordException) return new PaperError('encrypted', undefined, { cause: error })
  if (error instanceof InvalidPDFException) return new PaperError('damaged', undefined, { cause: error })
  // pdf.js reports many kinds of damage as generic parser errors.
  if (error instanceof Error) return new PaperError('damaged', undefined, { cause: error })
  return error
}

/** After a WebAssembly trap memory may be inconsistent: the process must not be reused. */
export const isWasmTrap = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError'
