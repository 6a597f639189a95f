import type { PhotoCorners, PhotoTurns } from '@assay/shared/photo-drafts.ts'

type Point = PhotoCorners[number]

/** All of the photo. */
export const wholePhoto: PhotoCorners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

/** Where a point of the photo is once it is turned clockwise, and back. In parts of width and height. */
export function turnPoint([x, y]: Point, turns: PhotoTurns): Point {
  if (turns === 0) return [x, y]
  return turnPoint([1 - y, x], (turns - 1) as PhotoTurns)
}
export const turnPointBack = (point: Point, turns: PhotoTurns): Point =>
  turnPoint(point, ((4 - turns) % 4) as PhotoTurns)

const inside = (share: number) => Math.min(1, Math.max(0, share))

/** With one corner somewhere else, never outside the photo. */
export function withCorner(corners: PhotoCorners, index: number, [x, y]: Point): PhotoCorners {
  return corners.map((corner, i) => (i === index ? [inside(x), inside(y)] : corner)) as PhotoCorners
}

export const isWhole = (corners: PhotoCorners): boolean =>
  corners.every(([x, y], i) => x === wholePhoto[i]?.[0] && y === wholePhoto[i]?.[1])
