import type { Point } from '../geometry/matrix.ts'
import { findInkBlobs, type InkBlob } from '../ocr/ink-blobs.ts'
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
  for (const blob of findInkBlobs(window, threshold)) {
    if (!isDisc(blob, window, diameter)) continue
    const point = middle(blob, window, threshold)
    const distance = Math.hypot(point[0] - near[0], point[1] - near[1])
    if (distance <= reach && (!best || distance < best.distance)) best = { point, distance }
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

function isDisc({ x0, y0, x1, y1, pixels }: InkBlob, { width, height }: Window, diameter: number): boolean {
  const full = (Math.PI / 4) * diameter * diameter
  const [across, down] = [x1 - x0 + 1, y1 - y0 + 1]
  const round = pixels / (across * down)
  const touchesEdge = x0 === 0 || y0 === 0 || x1 === width - 1 || y1 === height - 1
  const elongation = Math.max(across, down) / Math.min(across, down)
  return !touchesEdge && pixels > 0.6 * full && pixels < 1.5 * full && round > 0.66 && round < 0.9 && elongation < 1.3
}

/** Of a blob's darkness, in the whole picture. */
function middle({ x0, y0, x1, y1 }: InkBlob, { data, width, left, top }: Window, threshold: number): Point {
  let [total, sumX, sumY] = [0, 0, 0]
  for (let y = y0; y <= y1; y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const grey = data[y * width + x] ?? 255
      if (grey >= threshold) continue
      total += 255 - grey
      sumX += (255 - grey) * x
      sumY += (255 - grey) * y
    }
  // The middle of a pixel is half a pixel from its corner.
  return [sumX / total + 0.5 + left, sumY / total + 0.5 + top]
}
