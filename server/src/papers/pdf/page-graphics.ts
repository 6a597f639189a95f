import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { PaperError } from '../paper-error.ts'
import { formObject, type PdfiumCalls, pathObject, type Rect, textObject, transformRect } from './pdfium-calls.ts'

/** A run of text in one style. Rectangles are in PDF coordinates. */
export interface TextStyle {
  rect: Rect
  bold: boolean
  /** `#rrggbb`; null for black, grey and patterns. */
  colour: string | null
}

/** A painted path: a rule, a frame, a highlight, a drawing. */
export interface PaintedPath {
  rect: Rect
  /** `#rrggbb`; null where it is not filled. */
  fill: string | null
  stroked: boolean
}

export interface PageGraphics {
  styles: TextStyle[]
  paths: PaintedPath[]
}

/** More than any sheet to write on has; a drawing beyond it tells nothing about the layout. */
const maxObjects = 20_000
const maxDepth = 4
const boldWeight = 600

/** How text is styled and what paths are painted on a page: much cheaper than listing its letters. */
export function readPageGraphics(module: PDFium, calls: PdfiumCalls, document: number, index: number): PageGraphics {
  const page = calls.FPDF_LoadPage(document, index)
  if (!page) throw new PaperError('damaged')
  const scratch = calls.malloc(256)
  try {
    return new GraphicsReader(module, calls, scratch).read(page)
  } finally {
    calls.free(scratch)
    calls.FPDF_ClosePage(page)
  }
}

class GraphicsReader {
  readonly #bold = new Map<number, boolean>()
  readonly #found: PageGraphics = { styles: [], paths: [] }
  readonly #module: PDFium
  readonly #calls: PdfiumCalls
  readonly #scratch: number
  #seen = 0

  constructor(module: PDFium, calls: PdfiumCalls, scratch: number) {
    this.#module = module
    this.#calls = calls
    this.#scratch = scratch
  }

  read(page: number): PageGraphics {
    const count = this.#calls.FPDFPage_CountObjects(page)
    for (let at = 0; at < count && this.#seen < maxObjects; at += 1)
      this.#visit(this.#calls.FPDFPage_GetObject(page, at), (rect) => rect, 0)
    return this.#found
  }

  #visit(object: number, place: (rect: Rect) => Rect, depth: number): void {
    this.#seen += 1
    const type = this.#calls.FPDFPageObj_GetType(object)
    if (type === textObject) {
      const rect = this.#bounds(object)
      const font = this.#calls.FPDFTextObj_GetFont(object)
      if (rect)
        this.#found.styles.push({ rect: place(rect), bold: this.#isBold(font), colour: this.#textColour(object) })
    } else if (type === pathObject) {
      const rect = this.#bounds(object)
      if (rect) this.#found.paths.push({ rect: place(rect), ...this.#paintOf(object) })
    } else if (type === formObject && depth < maxDepth) {
      if (!this.#calls.FPDFPageObj_GetMatrix(object, this.#scratch)) return
      const matrix = Float32Array.from(new Float32Array(this.#module.HEAPU8.buffer, this.#scratch, 6))
      const count = this.#calls.FPDFFormObj_CountObjects(object)
      for (let at = 0; at < count && this.#seen < maxObjects; at += 1)
        this.#visit(
          this.#calls.FPDFFormObj_GetObject(object, at),
          (rect) => place(transformRect(rect, matrix)),
          depth + 1,
        )
    }
  }

  #bounds(object: number): Rect | null {
    const at = this.#scratch
    if (!this.#calls.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return null
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(this.#module.HEAPU8.buffer, at, 4)
    return [left, bottom, right, top]
  }

  /** By weight, or by name where the weight is not stored: “ABCDEF+Calibri-Bold”, LaTeX's “CMBX10”. */
  #isBold(font: number): boolean {
    const known = this.#bold.get(font)
    if (known !== undefined) return known
    const length = Math.min(this.#calls.FPDFFont_GetBaseFontName(font, this.#scratch, 256), 256)
    const name = Buffer.from(this.#module.HEAPU8.subarray(this.#scratch, this.#scratch + length)).toString('latin1')
    const bold =
      /bold|black|heavy|demi(?!light)|cmbx|sfbx|-bd|cmssbx/i.test(name) ||
      this.#calls.FPDFFont_GetWeight(font) >= boldWeight
    this.#bold.set(font, bold)
    return bold
  }

  #textColour(object: number): string | null {
    const colour = this.#fillColour(object)
    return colour && isColourful(colour) ? colour : null
  }

  #fillColour(object: number): string | null {
    const at = this.#scratch
    if (!this.#calls.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12)) return null
    const [r = 0, g = 0, b = 0] = new Uint32Array(this.#module.HEAPU8.buffer, at, 4)
    return `#${[r, g, b].map((part) => Math.min(255, part).toString(16).padStart(2, '0')).join('')}`
  }

  #paintOf(object: number): Pick<PaintedPath, 'fill' | 'stroked'> {
    const at = this.#scratch
    if (!this.#calls.FPDFPath_GetDrawMode(object, at, at + 4)) return { fill: null, stroked: false }
    const [fillMode = 0, stroked = 0] = new Int32Array(this.#module.HEAPU8.buffer, at, 2)
    return { stroked: stroked !== 0, fill: fillMode === 0 ? null : this.#fillColour(object) }
  }
}

/** Neither black, white nor grey. */
function isColourful(colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return Math.max(...parts) - Math.min(...parts) > 60
}
