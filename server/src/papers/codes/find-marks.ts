import type { Point } from '../geometry/matrix.ts'
import type { PageImage } from '../pdf/page-image.ts'

/**
 * The middle of a black disc in a grey picture, to a fraction of a pixel; null where there is none that stands alone.
 * @param near where to look
 * @param reach how far from there, in pixels
 * @param diameter in pixels
 */
export function findDisc(picture: PageImage, near: Point, reach: number, diameter: number): Point | null {
  const window = cut(picture, near, reach + diameter)
  if (!window) return null
  const threshold = darkThreshold(window.data)
  if (threshold === null) return null
  let best: { point: Point; distance: number } | null = null
  for (const blob of blobs(window, threshold)) {
    const point: Point = [blob.x + window.left, blob.y + window.top]
    const distance = Math.hypot(point[0] - near[0], point[1] - near[1])
    if (distance > reach || !isDisc(blob, diameter) || (best && best.distance <= distance)) continue
    best = { point, distance }
  }
  return best?.point ?? null
}

interface Window extends PageImage {
  left: number
  top: number
}

function cut({ data, width, height }: PageImage, [x, y]: Point, reach: number): Window | null {
  const left = Math.max(0, Math.floor(x - reach))
  const top = Math.max(0, Math.floor(y - reach))
  const wide = Math.min(width, Math.ceil(x + reach)) - left
  const high = Math.min(height, Math.ceil(y + reach)) - top
  if (!(wide > 4 && high > 4)) return null
  const part = new Uint8Array(wide * high)
  for (let row = 0; row < high; row += 1) {
    const from = (top + row) * width + left
    part.set(data.subarray(from, from + wide), row * wide)
  }
  return { data: part, width: wide, height: high, left, top }
}

/** Halfway between the paper and the ink; null where there is no ink. */
function darkThreshold(data: Uint8Array): number | null {
  const sorted = Uint8Array.from(data).sort()
  const [ink = 0, paper = 255] = [sorted[Math.floor(sorted.length * 0.01)], sorted[Math.floor(sorted.length * 0.75)]]
  return paper - ink < 50 ? null : (paper + ink) / 2
}

interface Blob {
  /** The middle of its darkness. */
  x: number
  y: number
  area: number
  width: number
  height: number
  /** The larger of its axes by the smaller one. */
  elongation: number
  touchesEdge: boolean
}

function blobs({ data, width, height }: Window, threshold: number): Blob[] {
  const seen = new Uint8Array(data.length)
  const found: Blob[] = []
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] || (data[start] ?? 255) >= threshold) continue
    const pixels = [start]
    seen[start] = 1
    for (let i = 0; i < pixels.length; i += 1) {
      const at = pixels[i] ?? 0
      const x = at % width
      const neighbours = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]
      for (const next of neighbours) {
        if (next < 0 || next >= data.length || seen[next] || (data[next] ?? 255) >= threshold) continue
        seen[next] = 1
        pixels.push(next)
      }
    }
    if (pixels.length >= 12) found.push(measure(pixels, data, width, height))
  }
  return found
}

function measure(pixels: readonly number[], data: Uint8Array, width: number, height: number): Blob {
  let [total, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0]
  let [x1, y1, x2, y2] = [width, height, -1, -1]
  for (const at of pixels) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const weight = 255 - (data[at] ?? 255)
    total += weight
    sx += weight * x
    sy += weight * y
    sxx += weight * x * x
    syy += weight * y * y
    sxy += weight * x * y
    ;[x1, y1, x2, y2] = [Math.min(x1, x), Math.min(y1, y), Math.max(x2, x), Math.max(y2, y)]
  }
  const [mx, my] = [sx / total, sy / total]
  const [vx, vy, vxy] = [sxx / total - mx * mx, syy / total - my * my, sxy / total - mx * my]
  const spread = Math.hypot(vx - vy, 2 * vxy)
  return {
    // The middle of a pixel is half a pixel from its corner.
    x: mx + 0.5,
    y: my + 0.5,
    area: pixels.length,
    width: x2 - x1 + 1,
    height: y2 - y1 + 1,
    elongation: Math.sqrt((vx + vy + spread) / Math.max(0.1, vx + vy - spread)),
    touchesEdge: x1 === 0 || y1 === 0 || x2 === width - 1 || y2 === height - 1,
  }
}

function isDisc({ area, width, height, elongation, touchesEdge }: Blob, diameter: number): boolean {
  const full = (Math.PI / 4) * diameter * diameter
  const round = area / (width * height)
  return !touchesEdge && area > 0.6 * full && area < 1.5 * full && round > 0.66 && round < 0.9 && elongation < 1.3
}
