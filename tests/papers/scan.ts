import sharp from 'sharp'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { rotateImage } from '../../server/src/papers/geometry/quarter-turns.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import type { PageImage } from '../../server/src/papers/pdf/page-image.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import { createResultCache, hashOf } from './result-cache.ts'
import { addPicture, newDocument, toBuffer } from './sheet.ts'

export interface ScanOptions {
  seed: number
  dpi?: number
  /** Degrees; by default about one either way. Beyond four the picture grows, so that nothing is cut off. */
  skew?: number
  /** Of the darkest corner, 0 to 1. */
  shade?: number
  /** Clockwise, in degrees. */
  lying?: 0 | 90 | 180 | 270
  /** Of a pixel's brightness, up or down, at most. */
  noise?: number
  /** Points of black around the sheet, as with an open lid. */
  border?: number
}

/** Only images, with a shade across the page, slight skew, noise and JPEG artefacts. */
export function simulateScan(pdf: Buffer, options: ScanOptions): Promise<Buffer> {
  return cached([hashOf([pdf]), options], () => renderScan(pdf, options))
}

const cached = createResultCache('scans', ['tests/papers', 'server/src/papers'])

async function renderScan(
  pdf: Buffer,
  { seed, dpi = 150, skew, shade = 0.45, lying = 0, noise = 14, border = 0 }: ScanOptions,
): Promise<Buffer> {
  const random = seededRandom(seed)
  const degrees = skew ?? (random() < 0.5 ? -1 : 1) * (0.7 + 0.6 * random())
  const pages = await withPdfium(pdf, async (document) => {
    const images: PageImage[] = []
    for (let number = 1; number <= document.pages; number += 1)
      images.push(await document.render(number, { scale: dpi / 72 }, defaultPaperLimits, 'Gray'))
    return images
  })
  const doc = newDocument()
  for (const straight of pages) {
    const page = await turnPage(await rotateImage(straight, turns[lying]), degrees, Math.round((border * dpi) / 72))
    addPicture(doc, await degradePage(page, shade, noise, random), (page.width * 72) / dpi, (page.height * 72) / dpi)
  }
  return toBuffer(doc)
}

const turns = { 0: 0, 90: 1, 180: 2, 270: 3 } as const
const LARGEST_SLIP = 4

async function turnPage({ data, width, height }: PageImage, degrees: number, border: number): Promise<PageImage> {
  const background = border > 0 ? '#181818' : '#ffffff'
  const turned = sharp(data, { raw: { width, height, channels: 1 } }).rotate(degrees, { background })
  const cut =
    border > 0
      ? turned.extend({ left: border, top: border, right: border, bottom: border, background })
      : Math.abs(degrees) > LARGEST_SLIP
        ? turned
        : turned.resize(width, height, { fit: 'cover' })
  const { data: pixels, info } = await cut.blur(0.5).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}

async function degradePage(page: PageImage, shade: number, most: number, random: () => number): Promise<Buffer> {
  const { width, height } = page
  const turned = Buffer.from(page.data)
  const [cornerX, cornerY] = [random() < 0.5 ? 0 : 1, random() < 0.5 ? 0 : 1]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const distance = Math.hypot(x / width - cornerX, y / height - cornerY) / Math.SQRT2
      const light = 0.97 - shade * (1 - distance) ** 1.5
      const index = y * width + x
      const noise = (random() + random() - 1) * most
      turned[index] = Math.max(0, Math.min(255, (turned[index] ?? 0) * light + noise))
    }
  return sharp(turned, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 70 })
    .toBuffer()
}
