import type { Box } from '@assay/shared/papers.ts'

function boundingBox(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

const areAdjacent = (a: Box, b: Box) =>
  b.y - (a.y + a.height) < 1.6 * Math.max(10, Math.min(a.height, b.height)) &&
  Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) - 20

/** Lines below each other become one box, so that an answer of three lines is one mark. */
export function mergeBoxes(boxes: Box[]): Box[] {
  const joined: Box[] = []
  for (const box of boxes.toSorted((a, b) => a.y - b.y)) {
    const at = joined.findIndex((one) => areAdjacent(one, box))
    const before = joined[at]
    if (before) joined[at] = boundingBox(before, box)
    else joined.push(box)
  }
  return joined
}
