import type { Box } from '@assay/shared/papers.ts'
import { bottom, right } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'

interface Size {
  width: number
  height: number
}

/** Minimum, median and maximum within a box of a grey page, 0 to 255; white off the page. */
export function brightnessOf(box: Box, image: PageImage, page: Size): { least: number; middle: number; most: number } {
  const values: number[] = []
  for (const index of pixels(box, image, page)) values.push(image.data[index] ?? 255)
  values.sort((a, b) => a - b)
  return { least: values[0] ?? 255, middle: values[values.length >> 1] ?? 255, most: values.at(-1) ?? 255 }
}

/** The largest difference within a box, 0 to 255. */
export function maxBrightnessDifference(box: Box, one: PageImage, other: PageImage, page: Size): number {
  let most = 0
  for (const index of pixels(box, one, page))
    most = Math.max(most, Math.abs((one.data[index] ?? 255) - (other.data[index] ?? 255)))
  return most
}

/** How many pixels' worth of ink one image has over another, or over a brightness, within a box. */
export function inkOf(box: Box, one: PageImage, other: PageImage | number, page: Size): number {
  let sum = 0
  for (const index of pixels(box, one, page)) {
    const ground = typeof other === 'number' ? other : (other.data[index] ?? 255)
    sum += Math.abs((one.data[index] ?? 255) - ground)
  }
  return sum / 255
}

export function isWhite(box: Box, image: PageImage, page: Size): boolean {
  for (const index of pixels(box, image, page)) if ((image.data[index] ?? 255) < 255) return false
  return true
}

function* pixels(box: Box, image: PageImage, page: Size): Generator<number> {
  const [sx, sy] = [image.width / page.width, image.height / page.height]
  const [x1, x2] = [Math.max(0, Math.floor(box.x * sx)), Math.min(image.width, Math.ceil(right(box) * sx))]
  const [y1, y2] = [Math.max(0, Math.floor(box.y * sy)), Math.min(image.height, Math.ceil(bottom(box) * sy))]
  for (let y = y1; y < y2; y += 1) for (let x = x1; x < x2; x += 1) yield y * image.width + x
}
