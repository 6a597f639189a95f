import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import type { PageImage } from './page-image.ts'
import { type PageToDraw, withPageToDraw } from './pdfium-bitmap.ts'
import { formObject, type PdfiumCalls, textObject } from './pdfium-calls.ts'

/** In grey; `textAlone` is on a ground of `aloneOn`. */
export interface TextInk {
  withText: PageImage
  withoutText: PageImage
  textAlone: PageImage
}

/** Both black and white letters show on it. */
export const aloneOn = 128

/** Nesting of forms; text below this depth stays in both images, and so counts as hidden. */
const maxFormDepth = 12

/** The page, the page without its text (the difference is the text's visible ink), and its text alone, uncovered. */
export function renderTextInk(module: PDFium, calls: PdfiumCalls, of: PageToDraw): TextInk {
  return withPageToDraw(module, calls, of, (page, draw) => {
    const withText = draw('white', { annotations: true })
    activate(calls, page, (type) => type !== textObject)
    const withoutText = draw('white', { annotations: true })
    activate(calls, page, (type) => type === textObject)
    return { withText, withoutText, textAlone: draw('mid grey', { annotations: false }) }
  })
}

/** Forms are only descended into. */
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
