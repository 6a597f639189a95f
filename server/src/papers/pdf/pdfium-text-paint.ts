import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import type { PdfiumCalls } from './pdfium-calls.ts'

export interface TextPaint {
  invisible: boolean
  /** Only filled: neither outlined nor used as a clip. */
  plain: boolean
  /** Of fill and outline where painted: 0 black to 1 white; null for a pattern. */
  colours: (number | null)[]
}

/** Text render modes; 3 (invisible) and 7 (clip only) paint nothing. */
const fillingModes = new Set([0, 2, 4, 6])
const outliningModes = new Set([1, 2, 5, 6])
/** Of 255. */
const minOpacity = 40
const maxBrightness = 0.85

/** `scratch` has room for 16 bytes. */
export function readTextPaint(module: PDFium, calls: PdfiumCalls, object: number, scratch: number): TextPaint {
  const mode = calls.FPDFTextObj_GetTextRenderMode(object)
  const at = [scratch, scratch + 4, scratch + 8, scratch + 12] as const
  const colours: (number | null)[] = []
  const add = (known: number) => {
    const [r = 0, g = 0, b = 0, a = 255] = new Uint32Array(module.HEAPU8.buffer, scratch, 4)
    if (!known) colours.push(null)
    else if (a >= minOpacity) colours.push((0.299 * r + 0.587 * g + 0.114 * b) / 255)
  }
  if (fillingModes.has(mode)) add(calls.FPDFPageObj_GetFillColor(object, ...at))
  if (outliningModes.has(mode)) add(calls.FPDFPageObj_GetStrokeColor(object, ...at))
  return { invisible: colours.length === 0, plain: mode === 0, colours }
}

export const mayBeInvisible = ({ invisible, plain, colours }: TextPaint): boolean =>
  invisible || !plain || colours.some((colour) => colour === null || colour > maxBrightness)
