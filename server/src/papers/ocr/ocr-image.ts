import type { Box } from '@assay/shared/papers.ts'
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
  const turned = { data, width: info.width, height: info.height }
  const ink = Math.abs(degrees) > FAR ? inkArea(turned) : { x: 0, y: 0, width: info.width, height: info.height }
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return {
    image: cut(turned, ink),
    // sharp rotates about the centre and enlarges the image to fit.
    toPagePoint(x, y) {
      const [dx, dy] = [x + ink.x - info.width / 2, y + ink.y - info.height / 2]
      return [dx * cos - dy * sin + page.width / 2, dx * sin + dy * cos + page.height / 2]
    },
  }
}

/** Degrees. Turned by more, a page is half as large again, and Tesseract needs a third more memory for the empty corners. */
const FAR = 4
/** Pixels: Tesseract reads words at the very edge badly. */
const MARGIN = 24

/** All that is dark, and a margin. */
function inkArea({ data, width, height }: PageImage): Box {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) >= 128) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  if (right < left) return { x: 0, y: 0, width, height }
  const [x, y] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)]
  return { x, y, width: Math.min(width, right + MARGIN) - x, height: Math.min(height, bottom + MARGIN) - y }
}

function cut(image: PageImage, { x, y, width, height }: Box): PageImage {
  if (width === image.width && height === image.height) return image
  const data = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * image.width + x
    data.set(image.data.subarray(from, from + width), row * width)
  }
  return { data, width, height }
}

export const toPng = ({ data, width, height }: PageImage): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
