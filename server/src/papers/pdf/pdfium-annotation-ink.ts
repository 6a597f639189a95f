import type { PDFium } from '@hyzyla/pdfium/dist/vendor/pdfium.js'
import type { PageImage } from './page-image.ts'
import { forEachAnnotation, mayHideWords } from './pdfium-annotations.ts'
import { type PageToDraw, withPageToDraw } from './pdfium-bitmap.ts'
import type { PdfiumCalls, Rect } from './pdfium-calls.ts'

/** What both libraries agree on: kind, rectangle, and number among equals, from 0. */
export interface AnnotationKey {
  kind: 'FreeText' | 'Widget' | 'Caret'
  rect: Rect
  among: number
}

export interface AnnotationInk {
  withIt: PageImage
  /** Null where it was not found, or too many annotations overlap. */
  withoutIt: PageImage | null
  mayHideWords: boolean
}

const kinds = { 3: 'FreeText', 14: 'Caret', 20: 'Widget' } as const
const hiddenFlag = 2
/** Drawings of one page: annotations that do not overlap share one. */
const maxDrawings = 8

/** The page as it is and without each of `keys`: the difference is an annotation's visible ink. */
export function renderAnnotationInk(
  module: PDFium,
  calls: PdfiumCalls,
  of: PageToDraw,
  keys: readonly AnnotationKey[],
): AnnotationInk[] {
  return withPageToDraw(module, calls, of, (page, draw) => {
    const found = findAnnotations(module, calls, page)
    const layers: { taken: Rect[]; hide: Set<number>; image?: PageImage }[] = []
    const layerOf = keys.map((key) => {
      const annotation = found.filter((one) => isSamePlace(one, key))[key.among]
      if (!annotation) return null
      let layer = layers.find(({ taken }) => !taken.some((rect) => overlap(rect, key.rect)))
      if (!layer) {
        if (layers.length === maxDrawings) return null
        layer = { taken: [], hide: new Set() }
        layers.push(layer)
      }
      layer.taken.push(key.rect)
      layer.hide.add(annotation.number)
      return { layer, annotation }
    })
    const withIt = draw('white', { annotations: true })
    for (const layer of layers)
      layer.image = withHidden(calls, page, layer.hide, () => draw('white', { annotations: true }))
    return layerOf.map((one) => ({
      withIt,
      withoutIt: one?.layer.image ?? null,
      mayHideWords: one?.annotation.mayHideWords ?? true,
    }))
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

interface FoundAnnotation extends Pick<AnnotationKey, 'kind' | 'rect'> {
  number: number
  mayHideWords: boolean
}

function findAnnotations(module: PDFium, calls: PdfiumCalls, page: number): FoundAnnotation[] {
  const found: FoundAnnotation[] = []
  const scratch = calls.malloc(16)
  try {
    forEachAnnotation(calls, page, (annotation, number) => {
      const kind = kinds[calls.FPDFAnnot_GetSubtype(annotation) as keyof typeof kinds]
      if (!kind || !calls.FPDFAnnot_GetRect(annotation, scratch)) return
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(module.HEAPU8.buffer, scratch, 4)
      const rect: Rect = [Math.min(left, right), Math.min(bottom, top), Math.max(left, right), Math.max(bottom, top)]
      found.push({ kind, rect, number, mayHideWords: mayHideWords(module, calls, annotation, scratch) })
    })
  } finally {
    calls.free(scratch)
  }
  return found
}

/** Points: pdfium computes with single precision, pdf.js with double. */
const samePlaceTolerance = 0.1

export function isSamePlace(
  one: Pick<AnnotationKey, 'kind' | 'rect'>,
  other: Pick<AnnotationKey, 'kind' | 'rect'>,
): boolean {
  return (
    one.kind === other.kind &&
    one.rect.every((value, side) => Math.abs(value - (other.rect[side] ?? 0)) < samePlaceTolerance)
  )
}

const overlap = (a: Rect, b: Rect): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
