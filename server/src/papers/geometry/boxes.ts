import type { Box } from '@assay/shared/papers.ts'

export const right = (box: Box): number => box.x + box.width
export const bottom = (box: Box): number => box.y + box.height
export const middleY = (box: Box): number => box.y + box.height / 2

/** The smallest box around both. */
export function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return { x, y, width: Math.max(right(a), right(b)) - x, height: Math.max(bottom(a), bottom(b)) - y }
}

/** The width they share; 0 when side by side. */
export function overlapX(a: Box, b: Box): number {
  return Math.max(0, Math.min(right(a), right(b)) - Math.max(a.x, b.x))
}

/** The height they share; 0 when one is above the other. */
export function overlapY(a: Box, b: Box): number {
  return Math.max(0, Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y))
}

/** True when they share more than half the height of the less high one. */
export function sameRow(a: Box, b: Box): boolean {
  return overlapY(a, b) > 0.5 * Math.min(a.height, b.height)
}

/** Two decimals of a point are precise enough, and make the stored JSON small. */
export function roundBox(box: Box): Box {
  return {
    x: Math.round(box.x * 100) / 100,
    y: Math.round(box.y * 100) / 100,
    width: Math.round(box.width * 100) / 100,
    height: Math.round(box.height * 100) / 100,
  }
}
