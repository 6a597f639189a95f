import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import type { PdfiumCalls, Rect } from './pdfium-calls.ts'
import { mayBeInvisible, readTextPaint } from './pdfium-text-paint.ts'

/** Share of their usual width; narrower letters are hardly seen. */
const minWidth = 0.2

/** `scratch` has room for 64 bytes. */
export const mayHideItself = (module: PDFium, calls: PdfiumCalls, text: number, scratch: number): boolean =>
  mayBeInvisible(readTextPaint(module, calls, text, scratch)) ||
  isBlendedOrLayered(module, calls, text, scratch) ||
  isSqueezed(module, calls, text, scratch)

export const isBlendedOrLayered = (module: PDFium, calls: PdfiumCalls, object: number, scratch: number): boolean =>
  calls.FPDFPageObj_HasTransparency(object) !== 0 || isOnLayer(module, calls, object, scratch)

/** Layers are marked content by the name “OC”. */
function isOnLayer(module: PDFium, calls: PdfiumCalls, object: number, scratch: number): boolean {
  const marks = calls.FPDFPageObj_CountMarks(object)
  for (let at = 0; at < marks; at += 1) {
    const mark = calls.FPDFPageObj_GetMark(object, at)
    if (!calls.FPDFPageObjMark_GetName(mark, scratch, 32, scratch + 32)) return true
    const name = Buffer.from(module.HEAPU8.subarray(scratch, scratch + layer.length))
    if (name.equals(layer)) return true
  }
  return false
}

const layer = Buffer.from('OC\0', 'utf16le')

function isSqueezed(module: PDFium, calls: PdfiumCalls, text: number, scratch: number): boolean {
  if (!calls.FPDFPageObj_GetMatrix(text, scratch)) return true
  const [a = 1, b = 0, c = 0, d = 1] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
  return Math.hypot(a, b) < minWidth * Math.hypot(c, d)
}

/** A rectangle returns to its first corner, with five points. */
const tooManyPoints = 6

/** In the container's coordinates; null where a clip is no rectangle. */
export function clipsOf(module: PDFium, calls: PdfiumCalls, object: number, scratch: number): Rect[] | null {
  const clip = calls.FPDFPageObj_GetClipPath(object)
  const paths = calls.FPDFClipPath_CountPaths(clip)
  const clips: Rect[] = []
  for (let path = 0; path < paths; path += 1) {
    const rect = rectangleOf(module, calls, { clip, path }, scratch)
    if (!rect) return null
    clips.push(rect)
  }
  return clips
}

function rectangleOf(
  module: PDFium,
  calls: PdfiumCalls,
  { clip, path }: { clip: number; path: number },
  scratch: number,
): Rect | null {
  const count = calls.FPDFClipPath_CountPathSegments(clip, path)
  if (count < 4 || count >= tooManyPoints) return null
  const points: [number, number][] = []
  for (let at = 0; at < count; at += 1) {
    const segment = calls.FPDFClipPath_GetPathSegment(clip, path, at)
    if (!calls.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)) return null
    const [x = 0, y = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 2)
    points.push([x, y])
  }
  // Sides are parallel to the page's: each point shares a coordinate with the one before.
  const isSide = ([x, y]: [number, number], at: number) => {
    const [fromX, fromY] = points[at === 0 ? count - 1 : at - 1] ?? [x, y]
    return Math.abs(x - fromX) < sameCoordinate || Math.abs(y - fromY) < sameCoordinate
  }
  if (!points.every(isSide)) return null
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Points. */
const sameCoordinate = 0.01
/** Share of a text's height, on each side: its bounds are larger than its ink. */
const maxClipped = 0.3

export function showsAll(clip: Rect, text: Rect): boolean {
  const margin = maxClipped * Math.min(text[2] - text[0], text[3] - text[1])
  return (
    clip[0] <= text[0] + margin &&
    clip[1] <= text[1] + margin &&
    clip[2] >= text[2] - margin &&
    clip[3] >= text[3] - margin
  )
}
