import sharp from 'sharp'
import type { PageImage } from '../pdf/page-image.ts'
import { detectSkew } from './skew-detection.ts'

/** A page deskewed for OCR, and the mapping from its pixels back to those of the page image. */
export interface OcrImage {
  image: PageImage
  /** From a point of `image` to a point of the page image. */
  toPagePoint(x: number, y: number): [number, number]
}

/** With a smaller share of dark pixels an evenly lit page is empty: dust, a staple, the edge of a scan. */
const minInkShare = 0.0004

export function isBlankPage({ data }: PageImage): boolean {
  let dark = 0
  for (const value of data) if (value < 128) dark += 1
  return dark < minInkShare * data.length
}

/** Deskews an evenly lit page. The image is a copy that may be changed. */
export async function deskew(page: PageImage): Promise<OcrImage> {
  const degrees = detectSkew(page)
  if (Math.abs(degrees) < 0.1)
    return { image: { ...page, data: Uint8Array.from(page.data) }, toPagePoint: (x, y) => [x, y] }
  const { data, info } = await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
    .rotate(-degrees, { background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return {
    image: { data, width: info.width, height: info.height },
    // sharp rotates about the centre and enlarges the image to fit.
    toPagePoint(x, y) {
      const [dx, dy] = [x - info.width / 2, y - info.height / 2]
      return [dx * cos - dy * sin + page.width / 2, dx * sin + dy * cos + page.height / 2]
    },
  }
}

export const toPng = ({ data, width, height }: PageImage): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
