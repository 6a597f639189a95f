import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import type { PageImage } from './page-image.ts'
import { forEachAnnotation } from './pdfium-annotations.ts'
import { type PageToDraw, withPageToDraw } from './pdfium-bitmap.ts'
import type { PdfiumCalls, Rect } from './pdfium-calls.ts'

/** Names an annotation by what two libraries agree on: its kind, its rectangle, and its number among those that share both, from 0. */
export interface AnnotationKey {
  kind: 'FreeText' | 'Widget' | 'Caret'
  rect: Rect
  among: number
}

/** A page in grey as it is, and without one annotation. */
export interface AnnotationInk {
  withIt: PageImage
  /** Null where the annotation was not found, or too many lie over each other. */
  withoutIt: PageImage | null
}

/** pdfium's numbers of the kinds. */
const kinds = { 3: 'FreeText', 14: 'Caret', 20: 'Widget' } as const
const hiddenFlag = 2
/** The most drawings of one page: annotations that do not overlap share one. */
const maxDrawings = 8

/**
 * Draws a page as it is and without each of the annotations, in the order of `keys`: the difference is the annotation's visible ink,
 * whatever other annotation lies over it.
 */
export function renderAnnotationInk(
  module: PDFium,
  calls: PdfiumCalls,
  of: PageToDraw,
  keys: readonly AnnotationKey[],
): AnnotationInk[] {
  return withPageToDraw(module, calls, of, (page, draw) => {
    const numbers = findNumbers(module, calls, page)
    const layers: { taken: Rect[]; hide: Set<number>; image?: PageImage }[] = []
    const layerOf = keys.map((key) => {
      const number = numbers.get(nameOf(key))
      if (number === undefined) return null
      let layer = layers.find(({ taken }) => !taken.some((rect) => overlap(rect, key.rect)))
      if (!layer) {
        if (layers.length === maxDrawings) return null
        layer = { taken: [], hide: new Set() }
        layers.push(layer)
      }
      layer.taken.push(key.rect)
      layer.hide.add(number)
      return layer
    })
    const withIt = draw('white', { annotations: true })
    for (const layer of layers)
      layer.image = withHidden(calls, page, layer.hide, () => draw('white', { annotations: true }))
    return layerOf.map((layer) => ({ withIt, withoutIt: layer?.image ?? null }))
  })
}

function withHidden<T>(calls: PdfiumCalls, page: number, numbers: ReadonlySet<number>, use: () => T): T {
  const flags = new Map<number, number>()
  forEachAnnotation(calls, page, (annotation, number) => {
    if (!numbers.has(number)) return
    const own = calls.FPDFAnnot_GetFlags(annotation)
    flags.set(number, own)
    calls.FPDFAnnot_SetFlags(annotation, own | hiddenFlag)
  })
  try {
    return use()
  } finally {
    forEachAnnotation(calls, page, (annotation, number) => {
      const own = flags.get(number)
      if (own !== undefined) calls.FPDFAnnot_SetFlags(annotation, own)
    })
  }
}

/** The numbers of a page's annotations of these kinds, by their names. */
function findNumbers(module: PDFium, calls: PdfiumCalls, page: number): Map<string, number> {
  const found = new Map<string, number>()
  const seen = new Map<string, number>()
  const scratch = calls.malloc(16)
  try {
    forEachAnnotation(calls, page, (annotation, number) => {
      const kind = kinds[calls.FPDFAnnot_GetSubtype(annotation) as keyof typeof kinds]
      if (!kind || !calls.FPDFAnnot_GetRect(annotation, scratch)) return
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
      const rect: Rect = [Math.min(left, right), Math.min(bottom, top), Math.max(left, right), Math.max(bottom, top)]
      const place = placeOf({ kind, rect })
      const among = seen.get(place) ?? 0
      seen.set(place, among + 1)
      found.set(nameOf({ kind, rect, among }), number)
    })
  } finally {
    calls.free(scratch)
  }
  return found
}

/** Rounded to a tenth of a point, as pdfium computes with single precision. */
export const placeOf = ({ kind, rect }: Pick<AnnotationKey, 'kind' | 'rect'>): string =>
  `${kind} ${rect.map((value) => Math.round(value * 10)).join(' ')}`

const nameOf = (key: AnnotationKey): string => `${placeOf(key)} ${key.among}`

const overlap = (a: Rect, b: Rect): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
