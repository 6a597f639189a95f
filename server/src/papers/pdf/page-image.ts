import type { Box } from '@assay/shared/papers.ts'
import sharp, { type Sharp } from 'sharp'

export interface PageImage {
  width: number
  height: number
  /** 4 bytes per pixel (RGBA) or 1 (grey). */
  data: Uint8Array
}

export const sharpOf = ({ data, width, height }: PageImage, channels: 1 | 4 = 1): Sharp =>
  sharp(data, { raw: { width, height, channels } })

export async function toGrey(picture: Sharp): Promise<PageImage> {
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

export function resized(image: PageImage, by: number, kernel: 'cubic' | 'lanczos3' = 'lanczos3'): Promise<PageImage> {
  const [width, height] = [Math.round(image.width * by), Math.round(image.height * by)]
  return toGrey(sharpOf(image).resize(width, height, { kernel, fit: 'fill' }))
}

/** A portable greymap: no work to write or read, for one byte a pixel. */
export const toPgm = ({ data, width, height }: PageImage): Buffer =>
  Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), data])

/** @param image of four bytes a pixel */
export const toJpeg = (image: PageImage, quality: number): Promise<Buffer> =>
  sharpOf(image, 4).removeAlpha().jpeg({ quality }).toBuffer()

export function cutOut(image: PageImage, { x, y, width, height }: Box): PageImage {
  const data = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * image.width + x
    data.set(image.data.subarray(from, from + width), row * width)
  }
  return { data, width, height }
}
