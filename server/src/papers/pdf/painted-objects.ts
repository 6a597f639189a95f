import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { maxRuleThickness } from './painting-operators.ts'
import {
  formObject,
  imageObject,
  type PdfiumCalls,
  pathObject,
  type Rect,
  shadingObject,
  transformRect,
} from './pdfium-calls.ts'

/** What is painted on a page besides its text. */
export interface PaintedObjects {
  images: Rect[]
  /** Anything that could be behind or over text: images, shadings, areas; also rules close together. */
  areas: boolean
}

export function findPaintedObjects(module: PDFium, calls: PdfiumCalls, page: number, scratch: number): PaintedObjects {
  const found: Rect[] = []
  const rules: Rect[] = []
  let areas = false
  const visit = (object: number, place: (rect: Rect) => Rect, depth: number) => {
    const type = calls.FPDFPageObj_GetType(object)
    areas ||= type === imageObject || type === shadingObject || depth > 3
    if (type === imageObject || type === pathObject) {
      const at = [scratch, scratch + 4, scratch + 8, scratch + 12] as const
      if (!calls.FPDFPageObj_GetBounds(object, ...at)) return
      const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
      const rect = place([left, bottom, right, top])
      if (type === imageObject) found.push(rect)
      else if (isRule(rect)) rules.push(rect)
      else areas = true
    } else if (type === formObject && depth < 4) {
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
  return { images: found, areas: areas || formArea(rules) }
}

const isRule = ([left, bottom, right, top]: Rect): boolean => Math.min(right - left, top - bottom) <= maxRuleThickness

/** Three rules, each within a rule's thickness of the next: together they can cover text. */
function formArea(rules: Rect[]): boolean {
  const near = (a: Rect, b: Rect) =>
    a[0] <= b[2] + maxRuleThickness &&
    b[0] <= a[2] + maxRuleThickness &&
    a[1] <= b[3] + maxRuleThickness &&
    b[1] <= a[3] + maxRuleThickness
  const sorted = [...rules].sort((a, b) => a[1] - b[1] || a[0] - b[0])
  return sorted.some((rule, at) => {
    const [next, last] = [sorted[at + 1], sorted[at + 2]]
    return next !== undefined && last !== undefined && near(rule, next) && near(next, last)
  })
}
