import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { formObject, imageObject, type PdfiumCalls, type Rect, transformRect } from './pdfium-calls.ts'

const maxDepth = 4

/** The rectangles of a page's images; `scratch` has room for 24 bytes. */
export function findImages(module: PDFium, calls: PdfiumCalls, page: number, scratch: number): Rect[] {
  const found: Rect[] = []
  const visit = (object: number, place: (rect: Rect) => Rect, depth: number) => {
    const type = calls.FPDFPageObj_GetType(object)
    if (type === imageObject) {
      const at = [scratch, scratch + 4, scratch + 8, scratch + 12] as const
      if (!calls.FPDFPageObj_GetBounds(object, ...at)) return
      const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
      found.push(place([left, bottom, right, top]))
    } else if (type === formObject && depth < maxDepth) {
      if (!calls.FPDFPageObj_GetMatrix(object, scratch)) return
      const matrix = Float32Array.from(new Float32Array(module.HEAPU8.buffer, scratch, 6))
      const count = calls.FPDFFormObj_CountObjects(object)
      const within = (rect: Rect) => place(transformRect(rect, matrix))
      for (let index = 0; index < count; index += 1)
        visit(calls.FPDFFormObj_GetObject(object, index), within, depth + 1)
    }
  }
  const count = calls.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1) visit(calls.FPDFPage_GetObject(page, index), (rect) => rect, 0)
  return found
}
