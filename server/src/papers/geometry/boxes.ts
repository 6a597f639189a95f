import type { Box } from '@assay/shared/papers.ts'

export const right = (box: Box): number => box.x + box.width
export const bottom = (box: Box): number => box.y + box.height
export const middleY = (box: Box): number => box.y + box.height / 2

export function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return { x, y, width: Math.max(right(a), right(b)) - x, height: Math.max(bottom(a), bottom(b)) - y }
}

export function overlapX(a: Box, b: Box): number {
  return Math.max(0, Math.min(right(a), right(b)) - Math.max(a.x, b.x))
}

export function overlapY(a: Box, b: Box): number {
  return Math.max(0, Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y))
}

export const touches = (a: Box, b: Box): boolean => overlapX(a, b) * overlapY(a, b) > 0

export const sameRow = (a: Box, b: Box): boolean => overlapY(a, b) > 0.5 * Math.min(a.height, b.height)

export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** Two decimals of a point keep the stored JSON small. */
export function roundBox(box: Box): Box {
  return {
    x: Math.round(box.x * 100) / 100,
    y: Math.round(box.y * 100) / 100,
    width: Math.round(box.width * 100) / 100,
    height: Math.round(box.height * 100) / 100,
  }
}

export interface PixelBox {
  x0: number
  y0: number
  x1: number
  y1: number
}
