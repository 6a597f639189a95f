import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import { findPaintedObjects, type PaintedObjects } from './painted-objects.ts'

/** A rectangle in the PDF's own coordinates: left, bottom, right, top. */
export type Rect = [number, number, number, number]

/** Letters in a row that are drawn alike. */
export interface DrawnText {
  rect: Rect
  /** Without spaces. */
  text: string
  letters: DrawnLetter[]
  /** Which font, by a number of this page's own. */
  font: number
  /** Drawn with a text mode that leaves no ink, or transparent. */
  invisible: boolean
  /** 0 black to 1 white; null where letters are filled with a pattern. */
  brightness: number | null
}

export interface DrawnLetter {
  letter: string
  /** Around its ink. */
  rect: Rect
  /** Where it stands on its line, in the PDF's own coordinates. */
  origin: [number, number]
  /** Height its font gives every letter. */
  size: number
}

export interface DrawnPage extends PaintedObjects {
  texts: DrawnText[]
}

/** The calls of pdfium used here. Pointers and handles are numbers. */
export interface PdfiumCalls {
  malloc(size: number): number
  free(pointer: number): void
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(textPage: number): void
  FPDFText_CountChars(textPage: number): number
  FPDFText_GetUnicode(textPage: number, index: number): number
  FPDFText_GetTextObject(textPage: number, index: number): number
  FPDFText_GetCharBox(textPage: number, index: number, left: number, right: number, bottom: number, top: number): number
  FPDFText_GetLooseCharBox(textPage: number, index: number, rect: number): number
  FPDFText_GetCharOrigin(textPage: number, index: number, x: number, y: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFPageObj_SetIsActive(object: number, active: number): number
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFFormObj_CountObjects(form: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
}

export const textObject = 1
export const formObject = 5
/** Text modes that draw nothing: 3 invisible, 7 clip only. */
const invisibleRenderModes = new Set([3, 7])

export function readDrawnPage(module: PDFium, calls: PdfiumCalls, document: number, index: number): DrawnPage {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
  const scratch = calls.malloc(64)
  try {
    return { texts: readDrawnTexts(module, calls, page, scratch), ...findPaintedObjects(module, calls, page, scratch) }
  } finally {
    calls.free(scratch)
    calls.FPDF_ClosePage(page)
  }
}

function readDrawnTexts(module: PDFium, calls: PdfiumCalls, page: number, scratch: number): DrawnText[] {
  const textPage = calls.FPDFText_LoadPage(page)
  if (!textPage) return []
  const found: DrawnText[] = []
  let last = { object: 0, text: emptyDrawnText() }
  try {
    const count = calls.FPDFText_CountChars(textPage)
    for (let index = 0; index < count; index += 1) {
      const object = calls.FPDFText_GetTextObject(textPage, index)
      // Spaces and line ends that pdfium made up belong to no object.
      const code = calls.FPDFText_GetUnicode(textPage, index)
      if (!object || code <= 32 || code > 0x10ffff) continue
      const letter = String.fromCodePoint(code)
      const at = [scratch, scratch + 8, scratch + 16, scratch + 24] as const
      if (!calls.FPDFText_GetCharBox(textPage, index, ...at)) continue
      // The heap may have moved since the last call, so it is looked at afresh.
      const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(module.HEAPU8.buffer, scratch, 4)
      const rect: Rect = [left, bottom, right, top]
      if (!calls.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8)) continue
      const [x = 0, y = 0] = new Float64Array(module.HEAPU8.buffer, scratch, 2)
      const loose = calls.FPDFText_GetLooseCharBox(textPage, index, scratch)
      const [, upper = 0, , lower = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
      const one: DrawnLetter = { letter, rect, origin: [x, y], size: loose ? upper - lower : 0 }
      if (last.object === object) {
        last.text.rect = unionRect(last.text.rect, rect)
        last.text.text += letter
        last.text.letters.push(one)
      } else {
        const text: DrawnText = {
          rect,
          text: letter,
          letters: [one],
          font: calls.FPDFTextObj_GetFont(object),
          ...fillOf(module, calls, object, scratch),
        }
        last = { object, text }
        found.push(text)
      }
    }
  } finally {
    calls.FPDFText_ClosePage(textPage)
  }
  return found
}

const emptyDrawnText = (): DrawnText => ({
  rect: [0, 0, 0, 0],
  text: '',
  letters: [],
  font: 0,
  invisible: false,
  brightness: 0,
})

function fillOf(module: PDFium, calls: PdfiumCalls, object: number, scratch: number) {
  const mode = calls.FPDFTextObj_GetTextRenderMode(object)
  if (!calls.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12))
    return { invisible: invisibleRenderModes.has(mode), brightness: null }
  const [r = 0, g = 0, b = 0, a = 255] = new Uint32Array(module.HEAPU8.buffer, scratch, 4)
  // Outlined letters (modes 1 and 2) are seen whatever they are filled with.
  const outlined = mode === 1 || mode === 2 || mode === 5 || mode === 6
  return {
    invisible: invisibleRenderModes.has(mode) || (a < 40 && !outlined),
    brightness: outlined ? 0 : (0.299 * r + 0.587 * g + 0.114 * b) / 255,
  }
}

function unionRect(a: Rect, b: Rect): Rect {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}
