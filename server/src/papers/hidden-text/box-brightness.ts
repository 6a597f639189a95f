import type { Box } from '@assay/shared/papers.ts'
import { bottom, right } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'

interface Size {
  width: number
  height: number
}

/** 0 to 255; white off the page. */
export function brightnessOf(box: Box, image: PageImage, page: Size): { least: number; middle: number; most: number } {
  const counts = new Uint32Array(256)
  let pixels = 0
  for (const [from, to] of rowsOf(box, image, page)) {
    for (let i = from; i < to; i += 1) {
      const value = image.data[i] ?? 255
      counts[value] = (counts[value] ?? 0) + 1
    }
    pixels += to - from
  }
  if (pixels === 0) return { least: 255, middle: 255, most: 255 }
  let [middle, below] = [0, counts[0] ?? 0]
  while (below <= pixels >> 1) below += counts[++middle] ?? 0
  return { least: counts.findIndex((count) => count > 0), middle, most: counts.findLastIndex((count) => count > 0) }
}

/** Share of a pixel per pixel of the box's shorter side; a speck is not readable. */
const minInkPerSide = 0.1

export function leavesInk(box: Box, one: PageImage, other: PageImage, page: Size): boolean {
  const side = (Math.min(box.width, box.height) * one.width) / page.width
  return inkOf(box, one, other, page) >= minInkPerSide * Math.max(1, side)
}

/** Pixels' worth of ink of one image over another, or over a brightness, within a box. */
export function inkOf(box: Box, one: PageImage, other: PageImage | number, page: Size): number {
  let sum = 0
  for (const [from, to] of rowsOf(box, one, page))
    for (let i = from; i < to; i += 1) {
      const ground = typeof other === 'number' ? other : (other.data[i] ?? 255)
      sum += Math.abs((one.data[i] ?? 255) - ground)
    }
  return sum / 255
}

export function isWhite(box: Box, image: PageImage, page: Size): boolean {
  for (const [from, to] of rowsOf(box, image, page))
    for (let i = from; i < to; i += 1) if ((image.data[i] ?? 255) < 255) return false
  return true
}

function* rowsOf(box: Box, image: PageImage, page: Size): Generator<[from: number, to: number]> {
  const [sx, sy] = [image.width / page.width, image.height / page.height]
  const [x1, x2] = [Math.max(0, Math.floor(box.x * sx)), Math.min(image.width, Math.ceil(right(box) * sx))]
  const [y1, y2] = [Math.max(0, Math.floor(box.y * sy)), Math.min(image.height, Math.ceil(bottom(box) * sy))]
  if (x2 > x1) for (let y = y1; y < y2; y += 1) yield [y * image.width + x1, y * image.width + x2]
}
