import { PaperError } from '../paper-error.ts'
import { formObject, imageObject, type PdfiumCalls } from './pdfium-calls.ts'

const maxDepth = 4

/** Whether a page has a picture that cannot be opened: pdfium draws nothing in its place. */
export function hasDamagedPicture(calls: PdfiumCalls, document: number, index: number): boolean {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
  const isDamaged = (object: number, depth: number): boolean => {
    const type = calls.FPDFPageObj_GetType(object)
    if (type === formObject && depth < maxDepth) {
      const count = calls.FPDFFormObj_CountObjects(object)
      for (let i = 0; i < count; i += 1) if (isDamaged(calls.FPDFFormObj_GetObject(object, i), depth + 1)) return true
    }
    if (type !== imageObject) return false
    const bitmap = calls.FPDFImageObj_GetBitmap(object)
    if (bitmap) calls.FPDFBitmap_Destroy(bitmap)
    return !bitmap
  }
  try {
    const count = calls.FPDFPage_CountObjects(page)
    for (let i = 0; i < count; i += 1) if (isDamaged(calls.FPDFPage_GetObject(page, i), 0)) return true
    return false
  } finally {
    calls.FPDF_ClosePage(page)
  }
}
