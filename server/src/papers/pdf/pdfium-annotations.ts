import type { PdfiumCalls } from './pdfium-calls.ts'

/** pdfium's number of an annotation's kind. */
const link = 2
const popup = 16

/** Calls `use` with each annotation of a page, in their order in the file. */
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

/** Whether a page has an annotation that may paint over its text: any but links and pop-up windows. */
export function hasPaintingAnnotation(calls: PdfiumCalls, page: number): boolean {
  let found = false
  forEachAnnotation(calls, page, (annotation) => {
    const kind = calls.FPDFAnnot_GetSubtype(annotation)
    found ||= kind !== link && kind !== popup
  })
  return found
}
