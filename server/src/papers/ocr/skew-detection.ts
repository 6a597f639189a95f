import type { PageImage } from '../pdf/page-image.ts'

const maxDegrees = 4

/**
 * The skew of a page (grey, evenly lit) in degrees clockwise, by projection profile: at the right angle the text lines fall into the
 * fewest rows, and the counts of dark pixels vary most.
 */
export function detectSkew(image: PageImage): number {
  const dots = darkDots(image)
  if (dots.length < 400) return 0
  const coarse = findBestAngle(dots, image.height, -maxDegrees, maxDegrees, 0.5).degrees
  return findBestAngle(dots, image.height, coarse - 0.4, coarse + 0.4, 0.1).degrees
}

/** True when the text lines of a page (grey, evenly lit) are vertical. */
export function isSideways(image: PageImage): boolean {
  const dots = darkDots(image)
  if (dots.length < 400) return false
  const upright = findBestAngle(dots, image.height, -2, 2, 0.5).score
  return findBestAngle(darkDots(image, true), image.width, -2, 2, 0.5).score > 1.5 * upright
}

/**
 * Coordinates of at most some 20,000 dark pixels, alternating: along the text line from the page's centre, and across it from 0. With
 * `onSide` text lines are columns.
 */
function darkDots({ data, width, height }: PageImage, onSide = false): Float32Array {
  const dots: number[] = []
  const [stepX, stepY] = onSide ? [2, 3] : [3, 2]
  for (let y = 0; y < height; y += stepY)
    for (let x = 0; x < width; x += stepX) {
      if ((data[y * width + x] ?? 255) >= 128) continue
      if (onSide) dots.push(y - height / 2, x)
      else dots.push(x - width / 2, y)
    }
  const step = Math.max(1, Math.ceil(dots.length / 2 / 20_000))
  if (step === 1) return Float32Array.from(dots)
  const some: number[] = []
  for (let index = 0; index + 1 < dots.length; index += 2 * step) some.push(dots[index] ?? 0, dots[index + 1] ?? 0)
  return Float32Array.from(some)
}

function findBestAngle(dots: Float32Array, height: number, from: number, to: number, step: number) {
  let winner = { degrees: 0, score: -1 }
  for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
    const score = projectionSharpness(dots, height, Math.tan((degrees * Math.PI) / 180))
    if (score > winner.score) winner = { degrees, score }
  }
  return winner
}

/** Sum of squared changes from row to row after removing a slope. */
function projectionSharpness(dots: Float32Array, height: number, slope: number): number {
  const margin = height
  const rows = new Uint16Array(Math.ceil((height + 2 * margin) / 2))
  for (let index = 0; index + 1 < dots.length; index += 2) {
    const row = Math.floor(((dots[index + 1] ?? 0) - (dots[index] ?? 0) * slope + margin) / 2)
    rows[row] = (rows[row] ?? 0) + 1
  }
  let sum = 0
  for (let row = 1; row < rows.length; row += 1) sum += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  return sum
}
