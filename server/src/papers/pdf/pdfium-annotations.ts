import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { formObject, type PdfiumCalls, textObject } from './pdfium-calls.ts'
import { mayBeInvisible, readTextPaint } from './pdfium-text-paint.ts'

const link = 2
const popup = 16

export function forEachAnnotation(
  calls: PdfiumCalls,
  page: number,
  use: (annotation: number, index: number) => void,
): void {
  const count = calls.FPDFPage_GetAnnotCount(page)
  for (let index = 0; index < count; index += 1) {
    const annotation = calls.FPDFPage_GetAnnot(page, index)
    if (!annotation) continue
    try {
      use(annotation, index)
    } finally {
      calls.FPDFPage_CloseAnnot(annotation)
    }
  }
}

/** Links and popups paint only with an appearance of their own. */
export function hasPaintingAnnotation(calls: PdfiumCalls, page: number): boolean {
  let found = false
  forEachAnnotation(calls, page, (annotation) => {
    const kind = calls.FPDFAnnot_GetSubtype(annotation)
    found ||= (kind !== link && kind !== popup) || calls.FPDFAnnot_GetObjectCount(annotation) > 0
  })
  return found
}

/** Whether the appearance has white, outlined, transparent or covered words. `scratch`: 16 bytes. */
export function mayHideWords(module: PDFium, calls: PdfiumCalls, annotation: number, scratch: number): boolean {
  let text = false
  const count = calls.FPDFAnnot_GetObjectCount(annotation)
  for (let index = 0; index < count; index += 1) {
    const object = calls.FPDFAnnot_GetObject(annotation, index)
    const type = calls.FPDFPageObj_GetType(object)
    if (type !== textObject) {
      // What is behind the words hides nothing; a form may hold words of its own.
      if (text || type === formObject) return true
    } else {
      text = true
      if (mayBeInvisible(readTextPaint(module, calls, object, scratch))) return true
    }
  }
  return false
}
