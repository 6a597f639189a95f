import sharp, { type Sharp } from 'sharp'
import type { Point } from '../geometry/matrix.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import { decodePicture } from './decode-picture.ts'
import { evenLight } from './even-light.ts'
import { findSheet } from './find-sheet.ts'
import { pictureError } from './picture-error.ts'
import { distance, looksLikeASheet, sidesOf, toCorners } from './quadrilateral.ts'
import { sheetSize, straighten } from './straighten.ts'
import { withoutLocation } from './without-location.ts'

/** In parts of the picture's width and height, clockwise from the upper left. */
export type PictureCorners = [Point, Point, Point, Point]

export interface PageOfPictureTask {
  file: string
  /** Where the sheet is; `find` looks for it, null takes the whole picture. */
  corners: PictureCorners | 'find' | null
  turns: QuarterTurns
}

export interface PageOfPicture {
  /** The page straightened and evened, with the size it has in a PDF. */
  jpeg: Buffer
  /** The same, small: to see whether it is well on a phone with a slow line. */
  preview: Buffer
  pixels: { width: number; height: number }
  points: { width: number; height: number }
  /** Null: no sheet was surely found, or none was asked for, and the page is the whole picture. */
  corners: PictureCorners | null
  /** The whole picture upright, small: to see where the corners are. */
  whole: Buffer
  /** The picture as it came, without what it says of when, where and with what it was taken. */
  original: Buffer
  type: 'jpeg' | 'png' | 'webp' | 'heic'
}

/** 250 dpi: a little more than OCR reads at. */
const maxDpi = 250
/** The longest side of the small whole picture, in pixels. */
const wholeSide = 1200
const previewSide = 800
/** Of one page, so that forty fit into one PDF. */
const maxPageBytes = 1.2 * 2 ** 20
const within = { fit: 'inside', withoutEnlargement: true } as const
const qualities = [85, 72, 58, 42]

/** A picture of a sheet as a page. Throws PaperError. */
export async function pageOfPicture(
  bytes: Uint8Array,
  { corners: wanted, turns }: Pick<PageOfPictureTask, 'corners' | 'turns'>,
  step: () => void,
): Promise<PageOfPicture> {
  const picture = await decodePicture(bytes)
  step()
  const { width, height } = picture
  const scaled = (points: PictureCorners) => toCorners(points.map(([x, y]): Point => [x * width, y * height]))
  const corners = wanted === 'find' ? ((await findSheet(picture))?.corners ?? null) : wanted && scaled(wanted)
  if (corners && !looksLikeASheet(corners)) throw pictureError('not_sheet')
  const frame =
    corners ??
    toCorners([
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ])
  const size = corners ? sheetSize(frame, picture) : { ratio: width / height, points: fitA4(width / height) }
  const [top = 1, right = 1, bottom = 1, left = 1] = sidesOf(frame).map(([from, to]) => distance(from, to))
  const across = Math.min(Math.max(top, bottom, Math.max(left, right) * size.ratio), (size.points.width / 72) * maxDpi)
  const pixels = { width: Math.round(across), height: Math.max(1, Math.round(across / size.ratio)) }
  const { sheet } = await straighten(picture, frame, pixels)
  step()
  const even = await evenLight(sheet)
  const upright = sharp(even.data, { raw: { width: even.width, height: even.height, channels: 3 } }).rotate(90 * turns)
  const swap = (one: { width: number; height: number }) => (turns % 2 ? { width: one.height, height: one.width } : one)
  const whole = await sharp(picture.data, { raw: { width, height, channels: 3 } })
    .resize(wholeSide, wholeSide, within)
    .jpeg({ quality: 75 })
    .toBuffer()
  const jpeg = await smallEnough(upright)
  return {
    jpeg,
    preview: await sharp(jpeg).resize(previewSide, previewSide, within).jpeg({ quality: 70 }).toBuffer(),
    pixels: swap(pixels),
    points: swap(size.points),
    corners: corners && (corners.map(([x, y]): Point => [round(x / width), round(y / height)]) as PictureCorners),
    whole,
    original: withoutLocation(bytes, picture.type),
    type: picture.type,
  }
}

const round = (share: number) => Math.min(1, Math.max(0, Math.round(share * 1e4) / 1e4))

async function smallEnough(page: Sharp): Promise<Buffer> {
  for (const quality of qualities) {
    const jpeg = await page.clone().jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer()
    if (jpeg.length <= maxPageBytes) return jpeg
  }
  return page.clone().resize({ width: 1240 }).jpeg({ quality: 40 }).toBuffer()
}

/** The whole picture, as large as it fits on A4. */
function fitA4(ratio: number): { width: number; height: number } {
  const long = 841.89
  return ratio < 1 ? { width: long * ratio, height: long } : { width: long, height: long / ratio }
}
