import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { PDFiumDocument, PDFiumLibrary, PDFiumModule } from '@hyzyla/pdfium'
import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { type PageGraphics, readPageGraphics } from './page-graphics.ts'
import type { PageImage } from './page-image.ts'
import { type AnnotationInk, type AnnotationKey, renderAnnotationInk } from './pdfium-annotation-ink.ts'
import { type PageToDraw, withPageToDraw } from './pdfium-bitmap.ts'
import { formObject, imageObject, type PdfiumCalls, textObject } from './pdfium-calls.ts'
import { type DrawnText, readDrawnTexts } from './pdfium-page.ts'

export type PdfiumDocument = Awaited<ReturnType<typeof openPdfium>>

type Pixels = Pick<PaperLimits, 'megapixels'>

let loading: Promise<PDFium> | undefined

/** Takes some 50 ms and 30 MB. */
function loadPdfium(): Promise<PDFium> {
  loading ??= (async () => {
    const module = await PDFiumModule({})
    await PDFiumLibrary.initBase({ vendor: async () => module })
    return module
  })()
  return loading
}

/** From bytes or a path; `close` must follow. Pages are numbered from 1. @throws {PaperError} */
async function openPdfium(source: Uint8Array | string) {
  const module = await loadPdfium()
  // The module exports all of pdfium's functions; the library's types name only those it uses.
  const calls = module.wasmExports as unknown as PdfiumCalls
  const { documentIdx, documentPtr } = loadDocument(module, source)
  const document = new PDFiumDocument({ module, documentIdx, documentPtr })
  const pages = document.getPageCount()
  const checkNumber = (number: number, code: 'no_such_page' | 'damaged') => {
    if (!(number >= 1 && number <= pages))
      throw new PaperError(code, `Page ${number} does not exist. This PDF has ${pages} pages.`)
  }
  const opened = { number: 0, page: 0 }
  /** Stays open until the next is, since pdfium forgets fonts that no page has. */
  const openPage = (number: number): number => {
    if (number === opened.number) return opened.page
    checkNumber(number, 'damaged')
    const page = calls.FPDF_LoadPage(documentIdx, number - 1)
    if (!page) throw new PaperError('damaged')
    calls.FPDF_ClosePage(opened.page)
    Object.assign(opened, { number, page })
    return page
  }
  const pageToDraw = (number: number, scale: number, { megapixels }: Pixels): PageToDraw => {
    checkNumber(number, 'damaged')
    const form = document.initializeFormFields()
    return { document: documentIdx, index: number - 1, form, scale, megapixels }
  }
  return {
    pages,
    handle: documentIdx,
    /** To a width in pixels or at `scale` pixels per point; smaller where the limit on megapixels demands it. */
    async render(
      number: number,
      size: { width: number } | { scale: number },
      { megapixels }: Pixels,
      colours: 'BGRA' | 'Gray',
    ): Promise<PageImage> {
      checkNumber(number, 'no_such_page')
      const page = document.getPage(number - 1)
      const { originalWidth, originalHeight } = page.getOriginalSize()
      if (!(originalWidth > 0 && originalHeight > 0)) throw new PaperError('damaged')
      const requestedScale = 'scale' in size ? size.scale : size.width / originalWidth
      const most = Math.sqrt((megapixels * 1e6) / (originalWidth * originalHeight))
      const scale = Math.min(requestedScale, most)
      // `render` also closes the page, so it is loaded for each call.
      const { width, height, data } = await page.render({
        width: Math.max(1, Math.round(originalWidth * scale)),
        height: Math.max(1, Math.round(originalHeight * scale)),
        colorSpace: colours,
        renderFormFields: true,
      })
      return { width, height, data }
    },
    size(number: number): { width: number; height: number } {
      const page = openPage(number)
      return { width: calls.FPDF_GetPageWidthF(page), height: calls.FPDF_GetPageHeightF(page) }
    },
    readDrawnTexts: (number: number): DrawnText[] => readDrawnTexts(module, calls, openPage(number)),
    /** Such a picture is left blank when drawn. */
    hasDamagedPicture: (number: number): boolean => hasDamagedPicture(module, calls, openPage(number)),
    readGraphics: (number: number): PageGraphics => readPageGraphics(module, calls, openPage(number)),
    /** In grey at `scale` pixels per point. */
    renderTextInk: (number: number, scale: number, limits: Pixels): TextInk =>
      renderTextInk(module, calls, pageToDraw(number, scale, limits)),
    /** In grey, at one pixel per point. */
    renderAnnotationInk: (number: number, keys: readonly AnnotationKey[], limits: Pixels): AnnotationInk[] =>
      renderAnnotationInk(module, calls, pageToDraw(number, 1, limits), keys),
    close() {
      calls.FPDF_ClosePage(opened.page)
      document.destroy()
    },
  }
}

/** @throws {PaperError} */
export async function withPdfium<T>(
  source: Uint8Array | string,
  use: (document: PdfiumDocument) => Promise<T>,
): Promise<T> {
  const document = await openPdfium(source)
  try {
    return await use(document)
  } finally {
    document.close()
  }
}

/** Places count from 0; `close` must follow. @throws {PaperError} */
export async function newPdfiumDocument() {
  const module = await loadPdfium()
  const calls = module.wasmExports as unknown as PdfiumCalls
  const made = calls.FPDF_CreateNewDocument()
  return {
    importPage({ handle }: PdfiumDocument, number: number, at: number): void {
      const index = calls.malloc(4)
      try {
        new DataView(module.HEAPU8.buffer).setInt32(index, number - 1, true)
        if (!calls.FPDF_ImportPagesByIndex(made, handle, index, 1, at)) throw new PaperError('damaged')
      } finally {
        calls.free(index)
      }
    },
    /** @param degrees clockwise, added to the page's own rotation */
    turnPage(at: number, degrees: 0 | 90 | 180 | 270): void {
      if (degrees === 0) return
      const page = calls.FPDF_LoadPage(made, at)
      if (!page) throw new PaperError('damaged')
      calls.FPDFPage_SetRotation(page, (calls.FPDFPage_GetRotation(page) + degrees / 90) % 4)
      calls.FPDF_ClosePage(page)
    },
    /** The same pages make the same bytes. */
    save(): Buffer {
      const bytes = collectWrites(module, (fileWrite) => calls.FPDF_SaveAsCopy(made, fileWrite, 0) !== 0)
      if (!bytes) throw new PaperError('damaged')
      return withoutCreationDate(bytes)
    },
    close: () => calls.FPDF_CloseDocument(made),
  }
}

/** Blanked in place, as the file has byte offsets. The document's own metadata precedes the imported pages. */
function withoutCreationDate(bytes: Buffer): Buffer {
  const end = bytes.indexOf('/Creator(PDFium)')
  const start = bytes.subarray(0, Math.max(0, end)).lastIndexOf('/CreationDate(')
  if (start >= 0) bytes.fill(' ', start, end)
  return bytes
}

const passwordError = 4
const securityError = 5

function loadDocument(module: PDFium, source: Uint8Array | string) {
  const { documentPtr, size } = typeof source === 'string' ? copyFile(module, source) : copyBytes(module, source)
  const documentIdx = module._FPDF_LoadMemDocument(documentPtr, size, 0)
  if (documentIdx) return { documentIdx, documentPtr }
  module.wasmExports.free(documentPtr)
  const reason = module._FPDF_GetLastError()
  throw new PaperError(reason === passwordError || reason === securityError ? 'encrypted' : 'damaged')
}

interface CopiedDocument {
  documentPtr: number
  size: number
}

function copyBytes(module: PDFium, bytes: Uint8Array): CopiedDocument {
  const documentPtr = module.wasmExports.malloc(bytes.length)
  module.HEAPU8.set(bytes, documentPtr)
  return { documentPtr, size: bytes.length }
}

/** Reads straight into pdfium's memory, as class scans of 100 MB are opened often. */
function copyFile(module: PDFium, path: string): CopiedDocument {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const documentPtr = module.wasmExports.malloc(size)
    try {
      let done = 0
      while (done < size) {
        const read = readSync(file, module.HEAPU8, documentPtr + done, size - done, done)
        if (read === 0) break
        done += read
      }
      return { documentPtr, size: done }
    } catch (error) {
      module.wasmExports.free(documentPtr)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

const maxDepth = 4
/** Beyond these a page is accepted as drawn: checking would cost too much. */
const MAX_PICTURES = 100
const MAX_PIXELS = 40e6

function hasDamagedPicture(module: PDFium, calls: PdfiumCalls, page: number): boolean {
  const scratch = calls.malloc(8)
  let pictures = 0
  const isDamaged = (object: number, depth: number): boolean => {
    const type = calls.FPDFPageObj_GetType(object)
    if (type === formObject && depth < maxDepth) {
      const count = calls.FPDFFormObj_CountObjects(object)
      for (let i = 0; i < count; i += 1) if (isDamaged(calls.FPDFFormObj_GetObject(object, i), depth + 1)) return true
    }
    if (type !== imageObject || ++pictures > MAX_PICTURES) return false
    calls.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)
    const [width = 0, height = 0] = new Uint32Array(module.HEAPU8.buffer, scratch, 2)
    if (width * height > MAX_PIXELS) return false
    const bitmap = calls.FPDFImageObj_GetBitmap(object)
    if (bitmap) calls.FPDFBitmap_Destroy(bitmap)
    return !bitmap
  }
  try {
    const count = calls.FPDFPage_CountObjects(page)
    for (let i = 0; i < count; i += 1) if (isDamaged(calls.FPDFPage_GetObject(page, i), 0)) return true
    return false
  } finally {
    calls.free(scratch)
  }
}

/** A WebAssembly table holds only modules' functions, so a module re-exports it (core specification, 5.5). */
function wrapCallback(callback: (self: number, data: number, size: number) => number): WebAssembly.ExportValue {
  const bytes = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // Type 0: (i32, i32, i32) -> i32.
    ...[1, 8, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f],
    // Import "e" "f" of type 0.
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    // Export it as "f".
    ...[7, 5, 1, 1, 0x66, 0, 0],
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: callback } })
  const { f } = instance.exports
  if (f === undefined) throw new Error('the wrapped function is not there')
  return f
}

/** The null pointer, which nothing calls; pdfium's table has a fixed size. */
const NULL_SLOT = 0

/** `save` gets a pointer to an FPDF_FILEWRITE (fpdf_save.h). */
function collectWrites(module: PDFium, save: (fileWrite: number) => boolean): Buffer | null {
  const exported = module.wasmExports as unknown as Record<string, unknown>
  const table = exported.__indirect_function_table
  if (!(table instanceof WebAssembly.Table)) throw new Error('pdfium has no table of functions')
  const parts: Uint8Array[] = []
  const write = wrapCallback((_self, data, size) => {
    parts.push(module.HEAPU8.slice(data, data + size))
    return 1
  })
  const pointer = module.wasmExports.malloc(8)
  table.set(NULL_SLOT, write)
  try {
    const view = new DataView(module.HEAPU8.buffer)
    // Version 1 and the address of WriteBlock.
    view.setInt32(pointer, 1, true)
    view.setInt32(pointer + 4, NULL_SLOT, true)
    return save(pointer) ? Buffer.concat(parts) : null
  } finally {
    table.set(NULL_SLOT, null)
    module.wasmExports.free(pointer)
  }
}

export interface TextInk {
  withText: PageImage
  withoutText: PageImage
  /** Drawn when first asked for. */
  textAlone(): PageImage
}

/** Both black and white letters show on it. */
export const aloneOn = 128
/** Text nested deeper stays in both images and so counts as hidden. */
const maxFormDepth = 12

/** The page with and without its text, whose difference is visible ink, and the text alone, uncovered. */
function renderTextInk(module: PDFium, calls: PdfiumCalls, of: PageToDraw): TextInk {
  let alone: PageImage | undefined
  return withPageToDraw(module, calls, of, (page, draw) => {
    const withText = draw('white', { annotations: true })
    activate(calls, page, (type) => type !== textObject)
    return { withText, withoutText: draw('white', { annotations: true }), textAlone: () => (alone ??= drawTextAlone()) }
  })
  function drawTextAlone(): PageImage {
    return withPageToDraw(module, calls, of, (page, draw) => {
      activate(calls, page, (type) => type === textObject)
      return draw('mid grey', { annotations: false })
    })
  }
}

function activate(calls: PdfiumCalls, page: number, active: (type: number) => boolean): void {
  const visit = (object: number, depth: number) => {
    const type = calls.FPDFPageObj_GetType(object)
    if (type !== formObject) calls.FPDFPageObj_SetIsActive(object, active(type) ? 1 : 0)
    if (type !== formObject || depth >= maxFormDepth) return
    const count = calls.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index += 1) visit(calls.FPDFFormObj_GetObject(object, index), depth + 1)
  }
  const count = calls.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1) visit(calls.FPDFPage_GetObject(page, index), 0)
}
