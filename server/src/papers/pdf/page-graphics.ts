import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import { hasPaintingAnnotation } from './pdfium-annotations.ts'
import {
  formObject,
  imageObject,
  type PdfiumCalls,
  pathObject,
  type Rect,
  textObject,
  transformRect,
} from './pdfium-calls.ts'
import { clipsOf, isBlendedOrLayered, mayHideItself, showsAll } from './text-hiding.ts'

/** Rectangles are in PDF coordinates. */
interface TextStyle {
  rect: Rect
  bold: boolean
  /** `#rrggbb`; null for black, grey and patterns. */
  colour: string | null
}

export interface PaintedPath {
  rect: Rect
  fill: string | null
  stroked: boolean
  drawn: boolean
}

export interface PageGraphics {
  styles: TextStyle[]
  paths: PaintedPath[]
  pictures: Rect[]
  /** By cover, colour, opacity, layer, clip or shape; true may be wrong. */
  mayHideText: boolean
  /** Not counting links and popups without a picture. */
  annotations: boolean
}

/** More than any sheet to write on has; a drawing with more tells nothing about the layout. */
const maxObjects = 20_000
const maxDepth = 4
const boldWeight = 600
const white = '#ffffff'
/** Its first point, its sides, and the way back. */
const rectangleSegments = 5
/** Points, of one stroke that marks something. */
const tallestStroke = 60
const maxSegments = 40_000
const moveTo = 2

/** Much cheaper than listing the page's letters. */
export function readPageGraphics(module: PDFium, calls: PdfiumCalls, page: number): PageGraphics {
  const scratch = calls.malloc(256)
  try {
    return new GraphicsReader(module, calls, scratch).read(page)
  } finally {
    calls.free(scratch)
  }
}

interface Level {
  /** From this level's coordinates to the page's. */
  place: (rect: Rect) => Rect
  scale: number
  clips: readonly Rect[]
  /** Blended, masked, on a layer, or clipped to something other than a rectangle. */
  mayHide: boolean
  depth: number
}

class GraphicsReader {
  readonly #fonts = new Map<number, { bold: boolean; drawsItself: boolean }>()
  readonly #found: Pick<PageGraphics, 'styles' | 'paths' | 'pictures'> = { styles: [], paths: [], pictures: [] }
  readonly #texts: { order: number; rect: Rect }[] = []
  readonly #painted: PaintedObject[] = []
  readonly #module: PDFium
  readonly #calls: PdfiumCalls
  readonly #scratch: number
  #seen = 0
  #complete = true
  #mayHideText = false

  constructor(module: PDFium, calls: PdfiumCalls, scratch: number) {
    this.#module = module
    this.#calls = calls
    this.#scratch = scratch
  }

  read(page: number): PageGraphics {
    this.#visitAll({
      count: this.#calls.FPDFPage_CountObjects(page),
      object: (at) => this.#calls.FPDFPage_GetObject(page, at),
      place: (rect) => rect,
      scale: 1,
      clips: [],
      mayHide: false,
      depth: 0,
    })
    return {
      ...this.#found,
      mayHideText: this.#mayHideText || !this.#complete || mayCoverText(this.#texts, this.#painted),
      annotations: hasPaintingAnnotation(this.#calls, page),
    }
  }

  #visitAll({ count, object, ...level }: Level & { count: number; object: (at: number) => number }): void {
    for (let at = 0; at < count; at += 1) {
      if (this.#seen >= maxObjects) this.#complete = false
      else this.#visit(object(at), level)
    }
  }

  #visit(object: number, level: Level): void {
    const { place, scale, depth } = level
    const order = this.#seen
    this.#seen += 1
    const type = this.#calls.FPDFPageObj_GetType(object)
    const bounds = type === formObject ? null : this.#bounds(object)
    const rect = bounds && place(bounds)
    if (type === textObject) {
      const { bold, drawsItself } = this.#fontOf(object)
      this.#mayHideText ||= drawsItself || this.#mayHide(object, rect, level)
      if (!rect) return
      this.#texts.push({ order, rect })
      this.#found.styles.push({ rect, bold, colour: this.#textColour(object) })
    } else if (type === pathObject) {
      if (!rect) return
      const paint = this.#paintOf(object)
      const { fill, stroked } = paint
      const drawn = this.#calls.FPDFPath_CountSegments(object) > rectangleSegments
      this.#found.paths.push({ rect, fill, stroked, drawn })
      if (drawn && fill && !stroked && rect[3] - rect[1] > tallestStroke)
        for (const piece of this.#piecesOf(object)) this.#found.paths.push({ rect: place(piece), fill, stroked, drawn })
      if (!paint.filled && !paint.stroked) return
      const strokes = paint.filled ? null : { count: this.#strokesOf(object), width: scale * this.#strokeWidth(object) }
      this.#painted.push({ order, rect, strokes, white: paint.fill === white && !paint.stroked })
    } else if (type !== formObject) {
      if (!rect) {
        this.#complete = false
        return
      }
      this.#painted.push({ order, rect, strokes: null, white: false })
      if (type === imageObject) this.#found.pictures.push(rect)
    } else if (depth < maxDepth) {
      const matrix = this.#matrixOf(object)
      if (!matrix) {
        this.#complete = false
        return
      }
      const clips = this.#clips(object, level)
      this.#visitAll({
        count: this.#calls.FPDFFormObj_CountObjects(object),
        object: (at) => this.#calls.FPDFFormObj_GetObject(object, at),
        place: (inner) => place(transformRect(inner, matrix)),
        scale: scale * scaleOf(matrix),
        clips: clips ?? [],
        mayHide:
          level.mayHide || clips === null || isBlendedOrLayered(this.#module, this.#calls, object, this.#scratch),
        depth: depth + 1,
      })
    } else this.#complete = false
  }

  #mayHide(text: number, rect: Rect | null, level: Level): boolean {
    if (level.mayHide || mayHideItself(this.#module, this.#calls, text, this.#scratch)) return true
    const clips = this.#clips(text, level)
    return clips === null || (rect !== null && !clips.every((clip) => showsAll(clip, rect)))
  }

  /** Outer clips included; null where a clip is no rectangle. */
  #clips(object: number, { place, clips }: Level): readonly Rect[] | null {
    const own = clipsOf(this.#module, this.#calls, object, this.#scratch)
    return own && [...clips, ...own.map(place)]
  }

  #matrixOf(object: number): Float32Array | null {
    if (!this.#calls.FPDFPageObj_GetMatrix(object, this.#scratch)) return null
    return Float32Array.from(new Float32Array(this.#module.HEAPU8.buffer, this.#scratch, 6))
  }

  #strokesOf(path: number): number {
    return Math.max(1, this.#calls.FPDFPath_CountSegments(path) - 1)
  }

  /** Some programs write several pen strokes as one path. */
  #piecesOf(path: number): Rect[] {
    const count = this.#calls.FPDFPath_CountSegments(path)
    const matrix = count > maxSegments ? null : this.#matrixOf(path)
    if (!matrix) return []
    const pieces: Rect[] = []
    const at = this.#scratch
    for (let i = 0; i < count; i += 1) {
      const segment = this.#calls.FPDFPath_GetPathSegment(path, i)
      if (!this.#calls.FPDFPathSegment_GetPoint(segment, at, at + 4)) return []
      const [x = 0, y = 0] = new Float32Array(this.#module.HEAPU8.buffer, at, 2)
      const last = pieces.at(-1)
      if (last && this.#calls.FPDFPathSegment_GetType(segment) !== moveTo) {
        last[0] = Math.min(last[0], x)
        last[1] = Math.min(last[1], y)
        last[2] = Math.max(last[2], x)
        last[3] = Math.max(last[3], y)
      } else pieces.push([x, y, x, y])
    }
    return pieces.length > 1 ? pieces.map((piece) => transformRect(piece, matrix)) : []
  }

  #strokeWidth(path: number): number {
    const matrix = this.#matrixOf(path)
    if (!this.#calls.FPDFPageObj_GetStrokeWidth(path, this.#scratch)) return 1
    const [width = 1] = new Float32Array(this.#module.HEAPU8.buffer, this.#scratch, 1)
    return width * (matrix ? scaleOf(matrix) : 1)
  }

  #bounds(object: number): Rect | null {
    const at = this.#scratch
    if (!this.#calls.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return null
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(this.#module.HEAPU8.buffer, at, 4)
    return [left, bottom, right, top]
  }

  /** Bold by weight, or where that is not stored by name: “ABCDEF+Calibri-Bold”, LaTeX's “CMBX10”. */
  #fontOf(text: number): { bold: boolean; drawsItself: boolean } {
    const font = this.#calls.FPDFTextObj_GetFont(text)
    const known = this.#fonts.get(font)
    if (known) return known
    const length = Math.min(this.#calls.FPDFFont_GetBaseFontName(font, this.#scratch, 256), 256)
    const name = Buffer.from(this.#module.HEAPU8.subarray(this.#scratch, this.#scratch + length)).toString('latin1')
    const bold =
      /bold|black|heavy|demi(?!light)|cmbx|sfbx|-bd|cmssbx/i.test(name) ||
      this.#calls.FPDFFont_GetWeight(font) >= boldWeight
    this.#calls.FPDFFont_GetFontData(font, 0, 0, this.#scratch)
    const [bytes = 0] = new Uint32Array(this.#module.HEAPU8.buffer, this.#scratch, 1)
    // Without a font program, letters are drawings (Type 3), which may be empty or white.
    const found = { bold, drawsItself: bytes === 0 }
    this.#fonts.set(font, found)
    return found
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

  #paintOf(object: number): Pick<PaintedPath, 'fill' | 'stroked'> & { filled: boolean } {
    const at = this.#scratch
    // A path that tells nothing may be anything.
    if (!this.#calls.FPDFPath_GetDrawMode(object, at, at + 4)) return { fill: null, stroked: false, filled: true }
    const [fillMode = 0, stroked = 0] = new Int32Array(this.#module.HEAPU8.buffer, at, 2)
    const filled = fillMode !== 0
    return { stroked: stroked !== 0, filled, fill: filled ? this.#fillColour(object) : null }
  }
}

function scaleOf([a = 1, b = 0, c = 0, d = 1]: Float32Array): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d))
}

function isColourful(colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return Math.max(...parts) - Math.min(...parts) > 60
}

/** In PDF coordinates; `order` is that of painting. */
interface PaintedObject {
  order: number
  rect: Rect
  white: boolean
  strokes: { count: number; width: number } | null
}

const maxCover = 0.3
const maxComparisons = 2_000_000

/** True may be wrong, and the drawn page decides; false is certain but for clips and masks. */
function mayCoverText(texts: readonly { order: number; rect: Rect }[], painted: readonly PaintedObject[]): boolean {
  if (texts.length * painted.length > maxComparisons) return true
  return texts.some((text) => {
    let cover = 0
    for (const object of painted) {
      if (object.white && object.order < text.order) continue
      cover += coverOf(text.rect, object)
      if (cover > maxCover) return true
    }
    return false
  })
}

/** Of a square as high as the letters, 0 to 1. */
function coverOf([left, bottom, right, top]: Rect, { rect, strokes }: PaintedObject): number {
  const across = Math.min(right, rect[2]) - Math.max(left, rect[0])
  const up = Math.min(top, rect[3]) - Math.max(bottom, rect[1])
  if (across < 0 || up < 0) return 0
  const side = Math.max(Math.min(right - left, top - bottom), 1)
  const area = Math.min(1, up / side) * Math.min(1, across / side)
  return strokes ? Math.min(area, (strokes.count * strokes.width) / side) : area
}
