import type { Box } from '@assay/shared/papers.ts'
import { bottom, right } from '../geometry/boxes.ts'
import { cutOut, type PageImage } from '../pdf/page-image.ts'

interface Size {
  width: number
  height: number
}

/** 0 to 255; white off the page. */
export function brightnessOf(box: Box, image: PageImage, page: Size): { least: number; middle: number; most: number } {
  const values = cutOut(image, pixelsOf(box, image, page)).data.sort()
  return { least: values[0] ?? 255, middle: values[values.length >> 1] ?? 255, most: values.at(-1) ?? 255 }
}

/** Share of a pixel per pixel of the box's shorter side; a speck is not readable. */
const minInkPerSide = 0.1

export const leavesInk = (box: Box, one: PageImage, other: PageImage, page: Size): boolean =>
  inkOf(box, one, other, page) >= leastInk(box, one, page)

export const leastInk = (box: Box, image: PageImage, page: Size): number =>
  minInkPerSide * Math.max(1, (Math.min(box.width, box.height) * image.width) / page.width)

/** Pixels' worth of ink of one image over another, or over a brightness, within a box. */
export function inkOf(box: Box, one: PageImage, other: PageImage | number, page: Size): number {
  const { x, y, width, height } = pixelsOf(box, one, page)
  let sum = 0
  for (let start = y * one.width + x; start < (y + height) * one.width; start += one.width)
    for (let i = start; i < start + width; i += 1) {
      const ground = typeof other === 'number' ? other : (other.data[i] ?? 255)
      sum += Math.abs((one.data[i] ?? 255) - ground)
    }
  return sum / 255
}

export const isWhite = (box: Box, image: PageImage, page: Size): boolean =>
  cutOut(image, pixelsOf(box, image, page)).data.every((value) => value === 255)

/** Those that the box touches. */
export function pixelsOf(box: Box, image: Size, page: Size): Box {
  const [sx, sy] = [image.width / page.width, image.height / page.height]
  const [x, y] = [Math.max(0, Math.floor(box.x * sx)), Math.max(0, Math.floor(box.y * sy))]
  const width = Math.max(0, Math.min(image.width, Math.ceil(right(box) * sx)) - x)
  const height = Math.max(0, Math.min(image.height, Math.ceil(bottom(box) * sy)) - y)
  return { x, y, width, height }
}
