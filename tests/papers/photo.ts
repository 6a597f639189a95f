import sharp from 'sharp'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import { withOpenCv } from '../../server/src/papers/sheet/opencv.ts'
import type { Corners } from '../../server/src/papers/sheet/quadrilateral.ts'
import { createResultCache, hashOf } from './result-cache.ts'

type Table = 'wood' | 'checks' | 'dark' | 'stripes' | 'white'

/** How far the corners are off a rectangle, in parts of the width. */
const PERSPECTIVE = 0.07

export interface PhotoOptions {
  /** The same seed gives the same perspective, noise and table. */
  seed: number
  page?: number
  table?: Table
  width?: number
  /** Darkness, 0 to 1. */
  shadow?: number
  /** In parts of the picture's width. */
  size?: number
}

export interface Photo {
  width: number
  height: number
  data: Buffer
  corners: Corners
}

const cached = createResultCache('photos', ['tests/papers', 'server/src/papers/pdf'])

/** On a table, seen at an angle, with a shadow across it. */
export const drawPhotoJpeg = (pdf: Buffer, options: PhotoOptions): Promise<Buffer> =>
  cached([hashOf([pdf]), options], async () => {
    const { data, width, height } = await drawPhoto(pdf, options)
    return sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 88 })
      .toBuffer()
  })

export async function drawPhoto(pdf: Buffer, options: PhotoOptions): Promise<Photo> {
  const { seed, page = 1, table = 'wood', width = 1500, shadow = 0.45, size = 0.8 } = options
  const random = seededRandom(seed)
  const height = Math.round((width * 4) / 3)
  const sheet = await withPdfium(pdf, (document) =>
    document.render(page, { width: Math.round(width * size * 1.3) }, defaultPaperLimits, 'Gray'),
  )
  const sheetWidth = size * width
  const sheetHeight = Math.min((sheetWidth * sheet.height) / sheet.width, 0.9 * height)
  const off = () => (random() - 0.5) * 2 * PERSPECTIVE * width
  const [left, top] = [(width - sheetWidth) / 2, (height - sheetHeight) / 2]
  const near = (x: number, y: number) => [
    Math.min(width * 0.985, Math.max(width * 0.015, x + off())),
    Math.min(height * 0.985, Math.max(height * 0.015, y + off())),
  ]
  const corners = [
    near(left, top),
    near(left + sheetWidth, top),
    near(left + sheetWidth, top + sheetHeight),
    near(left, top + sheetHeight),
  ] as unknown as Corners
  const [warped, mask] = await warpSheet(sheet, corners, width, height)
  const data = Buffer.alloc(width * height * 3)
  const ground = tables[table](random)
  const [shadowX, shadowY, slope] = [0.3 + 0.4 * random(), 0.3 + 0.4 * random(), random() - 0.5]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x
      const share = (mask[at] ?? 0) / 255
      const paper = (warped[at] ?? 0) * 0.94
      const below = ground(x / width, y / width)
      // A hand's shadow has a soft edge; the light falls off from one corner.
      const edge = (x / width - shadowX + slope * (y / height - shadowY)) * 14
      const light = (1 - shadow / (1 + Math.exp(-edge))) * (1 - 0.18 * (y / height)) * 0.98
      const noise = (random() + random() - 1) * 9
      for (let c = 0; c < 3; c += 1) {
        const colour = share * paper * (warm[c] ?? 1) + (1 - share) * (below[c] ?? 0)
        data[3 * at + c] = Math.max(0, Math.min(255, colour * light + noise))
      }
    }
  return { width, height, data, corners }
}

const warm = [1, 0.975, 0.92]
type Ground = (x: number, y: number) => readonly [number, number, number]

const tables: Record<Table, (random: () => number) => Ground> = {
  wood(random) {
    const waves = Array.from({ length: 5 }, () => [20 + 90 * random(), 6 * random(), 0.4 + random()] as const)
    return (x, y) => {
      let grain = 0
      for (const [frequency, phase, weight] of waves)
        grain += weight * Math.sin(frequency * (y + 0.04 * Math.sin(5 * x + phase)) * 3 + phase)
      const plank = y % 0.27 < 0.006 ? -60 : 0
      const light = 150 + 13 * grain + plank
      return [light, light * 0.74, light * 0.5]
    }
  },
  checks: () => (x, y) => {
    const [a, b] = [x % 0.08 < 0.04, y % 0.08 < 0.04]
    if (a && b) return [190, 30, 40]
    return a || b ? [225, 130, 135] : [235, 232, 228]
  },
  dark: (random) => (x, y) => {
    const grain = 10 * Math.sin(200 * (x + y)) + 8 * random()
    return [45 + grain, 42 + grain, 48 + grain]
  },
  stripes: () => (x, y) => ((x + 0.3 * y) % 0.05 < 0.022 ? [60, 80, 120] : [180, 175, 160]),
  white: () => () => [205, 207, 212],
}

function warpSheet(
  sheet: { data: Uint8Array; width: number; height: number },
  corners: Corners,
  width: number,
  height: number,
): Promise<[Buffer, Buffer]> {
  return withOpenCv((cv, own) => {
    const source = own(cv.matFromArray(sheet.height, sheet.width, cv.CV_8UC1, sheet.data as unknown as number[]))
    const white = own(new cv.Mat(sheet.height, sheet.width, cv.CV_8UC1, new cv.Scalar(255)))
    const { width: w, height: h } = sheet
    const from = own(cv.matFromArray(4, 1, cv.CV_32FC2, [0, 0, w, 0, w, h, 0, h]))
    const to = own(cv.matFromArray(4, 1, cv.CV_32FC2, corners.flat()))
    const map = own(cv.getPerspectiveTransform(from, to))
    const into = new cv.Size(width, height)
    const warp = (image: InstanceType<typeof cv.Mat>) => {
      const out = own(new cv.Mat())
      cv.warpPerspective(image, out, map, into, cv.INTER_AREA)
      return Buffer.from(out.data)
    }
    return [warp(source), warp(white)]
  })
}
