import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import type { PageImage } from './page-image.ts'
import { formObject, type PdfiumCalls, textObject } from './pdfium-calls.ts'

/** A page in grey, with and without its text. */
export interface TextInk {
  withText: PageImage
  withoutText: PageImage
}

/** Blue, green, red, alpha: pdfium does not blend colours when it draws in grey. */
const bgraBitmapFormat = 4
const white = 0xffffffff
/** Draws annotations too. */
const renderFlags = 0x01
/** Nesting of forms; text below this depth stays in both images, and so counts as hidden. */
const maxFormDepth = 12

/**
 * Draws a page twice, the second time with its text deactivated. The difference is the visible ink of the text, whatever covers or clips
 * it or is behind it.
 */
export function renderTextInk(
  module: PDFium,
  calls: PdfiumCalls,
  document: number,
  index: number,
  { scale, megapixels }: { scale: number; megapixels: number },
): TextInk {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
  try {
    const [across, down] = [calls.FPDF_GetPageWidthF(page), calls.FPDF_GetPageHeightF(page)]
    if (!(across > 0 && down > 0)) throw new PaperError('damaged')
    const pixels = Math.min(scale, Math.sqrt((megapixels * 1e6) / (across * down)))
    const width = Math.max(1, Math.round(across * pixels))
    const height = Math.max(1, Math.round(down * pixels))
    const shown = renderBitmap(module, page, width, height)
    deactivateText(calls, page)
    return { withText: shown, withoutText: renderBitmap(module, page, width, height) }
  } finally {
    calls.FPDF_ClosePage(page)
  }
}

function renderBitmap(module: PDFium, page: number, width: number, height: number): PageImage {
  const size = 4 * width * height
  const pointer = module.wasmExports.malloc(size)
  if (pointer === 0) throw new PaperError('too_much_memory')
  const bitmap = module._FPDFBitmap_CreateEx(width, height, bgraBitmapFormat, pointer, 4 * width)
  try {
    module._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
    module._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags)
    return { width, height, data: toGreyscale(module.HEAPU8.subarray(pointer, pointer + size)) }
  } finally {
    module._FPDFBitmap_Destroy(bitmap)
    module.wasmExports.free(pointer)
  }
}

function toGreyscale(colours: Uint8Array): Uint8Array {
  const grey = new Uint8Array(colours.length / 4)
  for (let at = 0; at < grey.length; at += 1) {
    const [b = 0, g = 0, r = 0] = [colours[4 * at], colours[4 * at + 1], colours[4 * at + 2]]
    grey[at] = (77 * r + 150 * g + 29 * b) >> 8
  }
  return grey
}

function deactivateText(calls: PdfiumCalls, page: number): void {
  const visit = (object: number, depth: number) => {
    const type = calls.FPDFPageObj_GetType(object)
    if (type === textObject) calls.FPDFPageObj_SetIsActive(object, 0)
    if (type !== formObject || depth >= maxFormDepth) return
    const count = calls.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index += 1) visit(calls.FPDFFormObj_GetObject(object, index), depth + 1)
  }
  const count = calls.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1) visit(calls.FPDFPage_GetObject(page, index), 0)
}
