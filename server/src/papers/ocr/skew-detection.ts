import type { PageImage } from '../pdf/page-image.ts'

/** Degrees either way: feeders are hardly off by four, sheets laid by hand by fifteen. */
const MOST_DEGREES = 15
const USUAL_DEGREES = 4
/** Gain required beyond the usual angles: aslant drawings must not turn a straight page. */
const SURELY_SHARPER = 1.35
const FEWEST_DOTS = 400
const MOST_DOTS = 20_000
const SPARSE = 10_000
/** Times the mean change between rows: one long aslant line must not outweigh the text. */
const LARGEST_CHANGE = 4
const SURELY_ON_SIDE = 1.5

/** Degrees clockwise, by projection profile: at the right angle the counts of dark pixels by row vary most. */
export function detectSkew(image: PageImage): number {
  const dots = darkDots(image)
  if (dots.length < FEWEST_DOTS) return 0
  // With little ink, a sample of the pixels would decide by chance.
  const all = dots.length / 2 < SPARSE ? darkDots(image, false, true) : dots
  return angleOf(dots, image.height, all).degrees
}

export type LineDirection = 'across' | 'down' | 'unclear'

export function lineDirection(image: PageImage): LineDirection {
  const dots = darkDots(image)
  if (dots.length < FEWEST_DOTS) return 'unclear'
  const across = angleOf(dots, image.height).score
  const down = angleOf(darkDots(image, true), image.width).score
  if (across > SURELY_ON_SIDE * down) return 'across'
  return down > SURELY_ON_SIDE * across ? 'down' : 'unclear'
}

interface Angle {
  degrees: number
  score: number
}

function angleOf(dots: Float32Array, height: number, all = dots): Angle {
  const usual = sharpest(dots, height, -USUAL_DEGREES, USUAL_DEGREES, 0.5)
  const without = (from: number, to: number) => sharpest(all, height, from, to, 0.5, LARGEST_CHANGE)
  const far = sharper(without(-MOST_DEGREES, -USUAL_DEGREES - 0.5), without(USUAL_DEGREES + 0.5, MOST_DEGREES))
  if (far.score <= SURELY_SHARPER * without(-USUAL_DEGREES, USUAL_DEGREES).score)
    return sharpest(dots, height, usual.degrees - 0.4, usual.degrees + 0.4, 0.1)
  const near = sharpest(all, height, far.degrees - 1, far.degrees + 1, 0.5)
  return sharpest(all, height, near.degrees - 0.4, near.degrees + 0.4, 0.1)
}

const sharper = (one: Angle, other: Angle): Angle => (other.score > one.score ? other : one)

/** Pairs alternate: along the line from the page's centre, across it from 0. `all`: every pixel, not one in six. */
function darkDots({ data, width, height }: PageImage, onSide = false, all = false): Float32Array {
  const dots: number[] = []
  const [stepX, stepY] = all ? [1, 1] : onSide ? [2, 3] : [3, 2]
  for (let y = 0; y < height; y += stepY)
    for (let x = 0; x < width; x += stepX) {
      if ((data[y * width + x] ?? 255) >= 128) continue
      if (onSide) dots.push(y - height / 2, x)
      else dots.push(x - width / 2, y)
    }
  const step = Math.max(1, Math.ceil(dots.length / 2 / MOST_DOTS))
  if (step === 1) return Float32Array.from(dots)
  const some: number[] = []
  for (let index = 0; index + 1 < dots.length; index += 2 * step) some.push(dots[index] ?? 0, dots[index + 1] ?? 0)
  return Float32Array.from(some)
}

function sharpest(
  dots: Float32Array,
  height: number,
  from: number,
  to: number,
  step: number,
  largestChange?: number,
): Angle {
  let winner: Angle = { degrees: 0, score: -1 }
  for (let degrees = from; degrees <= to + 1e-9; degrees += step)
    winner = sharper(winner, { degrees, score: projectionSharpness(dots, height, degrees, largestChange) })
  return winner
}

/** Sum of squared changes between rows, each capped, less a slope. */
function projectionSharpness(
  dots: Float32Array,
  height: number,
  degrees: number,
  largestChange = Number.POSITIVE_INFINITY,
): number {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const margin = height
  const rows = new Uint16Array(Math.ceil((height + 2 * margin) / 2))
  let [first, last] = [rows.length, 0]
  for (let index = 0; index + 1 < dots.length; index += 2) {
    const row = Math.floor(((dots[index + 1] ?? 0) - (dots[index] ?? 0) * slope + margin) / 2)
    rows[row] = (rows[row] ?? 0) + 1
    if (row < first) first = row
    if (row > last) last = row
  }
  const most = (largestChange * dots.length) / 2 / Math.max(1, last - first + 1)
  let sum = 0
  for (let row = Math.max(1, first); row <= last + 1; row += 1)
    sum += Math.min(most, Math.abs((rows[row] ?? 0) - (rows[row - 1] ?? 0))) ** 2
  return sum
}
