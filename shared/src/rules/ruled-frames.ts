import type { Box, Shape } from '../papers.ts'

/** In points. */
const MEET = 1.5
/** Larger ones are tables; in points. */
const LARGEST = { width: 260, height: 46 }
const SMALLEST = 6

/** Turns four rules that close round something small into the frame they draw. */
export function withRuledFrames(shapes: readonly Shape[]): Shape[] {
  const rules = shapes.filter(({ kind }) => kind === 'rule')
  if (rules.length < 4) return [...shapes]
  const isFlat = ({ box }: Shape) => box.width > box.height
  const flat = rules.filter((rule) => isFlat(rule) && rule.box.width <= LARGEST.width)
  const upright = rules.filter((rule) => !isFlat(rule) && rule.box.height <= LARGEST.height + MEET)
  const used = new Set<Shape>()
  const frames: Shape[] = []
  for (const top of flat) {
    if (used.has(top)) continue
    const lower = flat.find(({ box }) => box.y > top.box.y + SMALLEST && isBelow(top.box, box))
    if (!lower || used.has(lower)) continue
    const box = { ...top.box, height: lower.box.y + lower.box.height - top.box.y }
    const sides = [box.x, box.x + box.width].map((x) =>
      upright.find((side) => !used.has(side) && isSide(side.box, x, box)),
    )
    const [left, right] = sides
    if (!left || !right || left === right) continue
    for (const rule of [top, lower, left, right]) used.add(rule)
    frames.push({ kind: 'frame', box })
  }
  return frames.length === 0 ? [...shapes] : [...shapes.filter((shape) => !used.has(shape)), ...frames]
}

const isBelow = (top: Box, lower: Box): boolean =>
  lower.y - top.y <= LARGEST.height &&
  Math.abs(lower.x - top.x) <= MEET &&
  Math.abs(lower.width - top.width) <= 2 * MEET

const isSide = (side: Box, x: number, frame: Box): boolean =>
  Math.abs(side.x + side.width / 2 - x) <= MEET &&
  Math.abs(side.y - frame.y) <= 2 * MEET &&
  Math.abs(side.height - frame.height) <= 3 * MEET
