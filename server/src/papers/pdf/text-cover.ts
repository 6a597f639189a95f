import type { Rect } from './pdfium-calls.ts'

/** Something painted on a page, in PDF coordinates, by its number in the order of painting. */
export interface PaintedObject {
  order: number
  rect: Rect
  /** A white area, which hides only what was painted before it. */
  white: boolean
  /** Of a path that is stroked and not filled: how many strokes, and how thick. Null for an area. */
  strokes: { count: number; width: number } | null
}

/** The share of a letter's height that may be painted over, by all objects together, before the page has to be drawn. */
const maxCover = 0.3
/** A page with more to compare is drawn. */
const maxComparisons = 2_000_000

/**
 * Whether objects painted on a page could cover some of its text, or be its background. Objects are taken for larger than they are: true
 * may be wrong, and then the drawn page tells; false is certain, but for clips and masks.
 */
export function mayCoverText(
  texts: readonly { order: number; rect: Rect }[],
  painted: readonly PaintedObject[],
): boolean {
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

/** How much of a square as high as the letters an object may cover, 0 to 1. */
function coverOf([left, bottom, right, top]: Rect, { rect, strokes }: PaintedObject): number {
  const across = Math.min(right, rect[2]) - Math.max(left, rect[0])
  const up = Math.min(top, rect[3]) - Math.max(bottom, rect[1])
  if (across < 0 || up < 0) return 0
  const side = Math.max(Math.min(right - left, top - bottom), 1)
  const area = Math.min(1, up / side) * Math.min(1, across / side)
  return strokes ? Math.min(area, (strokes.count * strokes.width) / side) : area
}
