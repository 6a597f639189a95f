import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import { formObject, imageObject, type PdfiumCalls } from './pdfium-calls.ts'

const maxDepth = 4
/** A page whose picture is in more strips, or that has a larger one, is taken as it is drawn: looking would cost too much. */
const MAX_PICTURES = 100
const MAX_PIXELS = 40e6

/** Whether a page has a picture that cannot be opened: pdfium draws nothing in its place. */
export function hasDamagedPicture(module: PDFium, calls: PdfiumCalls, document: number, index: number): boolean {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
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
    calls.FPDF_ClosePage(page)
  }
}
