import type { PagePrint } from './page-print.ts'

/** A square of print with letters, not only a line. */
export interface PrintBlock {
  x: number
  y: number
  /** Ink less its mean, of length 1. */
  pattern: Float32Array
}

const BLOCK = 24
const MAX_BLOCKS = 90
/** Share of change across the weaker direction: a ruled line has none there. */
const LEAST_CORNER = 0.1

export function findBlocks(print: PagePrint): PrintBlock[] {
  const { width, height, ink } = print
  const found: (PrintBlock & { weight: number })[] = []
  for (let y = 4; y + BLOCK + 4 < height; y += BLOCK / 2)
    for (let x = 4; x + BLOCK + 4 < width; x += BLOCK / 2) {
      const weight = cornerness(ink, width, x, y)
      if (weight > 0) found.push({ x, y, weight, pattern: patternAt(print, x, y) ?? new Float32Array(0) })
    }
  found.sort((a, b) => b.weight - a.weight)
  const chosen: PrintBlock[] = []
  for (const { weight: _, ...one } of found) {
    if (chosen.length >= MAX_BLOCKS) break
    if (one.pattern.length === 0) continue
    if (chosen.some(({ x, y }) => Math.abs(x - one.x) < BLOCK && Math.abs(y - one.y) < BLOCK)) continue
    chosen.push(one)
  }
  return chosen
}

const MAX_TELLING = 24
/** A square that another page has this well tells nothing. */
const SAME = 0.7
const APART = 6

export function findTellingBlocks(print: PagePrint, other: PagePrint): PrintBlock[] {
  const { width, height, ink } = print
  const corners: { x: number; y: number; at: number }[] = []
  for (let y = 4; y + BLOCK + 4 < height; y += BLOCK / 2)
    for (let x = 4; x + BLOCK + 4 < width; x += BLOCK / 2)
      // Shuffled, so that the first ones found are spread over the page.
      corners.push({ x, y, at: (Math.imul(corners.length + 1, 0x9e3779b1) >>> 0) / 2 ** 32 })
  corners.sort((a, b) => a.at - b.at)
  const found: PrintBlock[] = []
  for (const { x, y } of corners) {
    if (found.length >= MAX_TELLING) break
    if (cornerness(ink, width, x, y) === 0) continue
    if (found.some((one) => Math.abs(one.x - x) < BLOCK && Math.abs(one.y - y) < BLOCK)) continue
    const pattern = patternAt(print, x, y)
    if (!pattern || findBlock(other, pattern, { x, y }, 0).fit >= SAME) continue
    if (findBlock(other, pattern, { x, y }, APART).fit < SAME) found.push({ x, y, pattern })
  }
  return found
}

/** The lesser change of ink of two directions (Shi and Tomasi, 1994), capped against bold print. */
function cornerness(ink: Uint8Array, width: number, left: number, top: number): number {
  let [xx, yy, xy] = [0, 0, 0]
  for (let y = top; y < top + BLOCK; y += 1)
    for (let x = left; x < left + BLOCK; x += 1) {
      const at = y * width + x
      const dx = (ink[at + 1] ?? 0) - (ink[at - 1] ?? 0)
      const dy = (ink[at + width] ?? 0) - (ink[at - width] ?? 0)
      xx += dx * dx
      yy += dy * dy
      xy += dx * dy
    }
  const [half, rest] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)]
  const lesser = half - rest
  if (lesser < LEAST_CORNER * (half + rest) || lesser < 4e5) return 0
  return Math.min(lesser, 6e6)
}

function patternAt({ width, ink }: PagePrint, left: number, top: number): Float32Array | null {
  const pattern = new Float32Array(BLOCK * BLOCK)
  let sum = 0
  for (let y = 0; y < BLOCK; y += 1)
    for (let x = 0; x < BLOCK; x += 1) {
      const value = ink[(top + y) * width + left + x] ?? 0
      pattern[y * BLOCK + x] = value
      sum += value
    }
  const mean = sum / pattern.length
  let square = 0
  for (let i = 0; i < pattern.length; i += 1) {
    const value = (pattern[i] ?? 0) - mean
    pattern[i] = value
    square += value * value
  }
  if (square < 1) return null
  const length = Math.sqrt(square)
  for (let i = 0; i < pattern.length; i += 1) pattern[i] = (pattern[i] ?? 0) / length
  return pattern
}

/** The fit is a correlation of -1 to 1. */
export function findBlock(
  { width, height, ink }: PagePrint,
  pattern: Float32Array,
  around: { x: number; y: number },
  reach: number,
): { x: number; y: number; fit: number } {
  let best = { x: around.x, y: around.y, fit: -1 }
  const look = (left: number, top: number, step: 1 | 2) => {
    if (left < 0 || top < 0 || left + BLOCK > width || top + BLOCK > height) return
    let [dot, sum, square] = [0, 0, 0]
    for (let y = 0; y < BLOCK; y += step) {
      const from = (top + y) * width + left
      const row = y * BLOCK
      for (let x = 0; x < BLOCK; x += step) {
        const value = ink[from + x] ?? 0
        dot += value * (pattern[row + x] ?? 0)
        sum += value
        square += value * value
      }
    }
    const count = (BLOCK / step) ** 2
    const spread = square - (sum * sum) / count
    if (spread <= 0) return
    const fit = (dot * step) / Math.sqrt(spread)
    if (fit > best.fit) best = { x: left, y: top, fit }
  }
  for (let dy = -reach; dy <= reach; dy += 2)
    for (let dx = -reach; dx <= reach; dx += 2) look(Math.round(around.x) + dx, Math.round(around.y) + dy, 2)
  const rough = best
  best = { ...rough, fit: -1 }
  for (let dy = -1; dy <= 1; dy += 1) for (let dx = -1; dx <= 1; dx += 1) look(rough.x + dx, rough.y + dy, 1)
  return best
}
