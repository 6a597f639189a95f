import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type PictureType, pictureType } from '../../lib/picture-type.ts'
import { cornersOf, type Point } from '../geometry/matrix.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { DecodedHeic } from './decode-heic-thread.ts'
import { findSheets } from './find-sheet.ts'
import { withOpenCv } from './opencv.ts'
import { pictureError } from './picture-error.ts'
import { type Corners, distance, looksLikeASheet, sidesOf, toCorners } from './quadrilateral.ts'
import type { ColourPixels } from './small-picture.ts'
import { sheetSize, straighten } from './straighten.ts'
import { unpacksTooLarge, withoutLocation } from './without-location.ts'

/** Shares of width and height, clockwise from the upper left. */
export type PictureCorners = [Point, Point, Point, Point]

export interface PageOfPictureTask {
  file: string
  corners: PictureCorners | 'find' | null
  turns: QuarterTurns
}

export interface PageOfPicture {
  jpeg: Buffer
  /** Small, for phones on a slow line. */
  preview: Buffer
  pixels: { width: number; height: number }
  points: { width: number; height: number }
  corners: PictureCorners | null
  others: PictureCorners[]
  whole: Buffer
  /** Without time, place and device. */
  original: Buffer
  type: 'jpeg' | 'png' | 'webp' | 'heic'
}

const maxDpi = 250
const wholeSide = 1200
const previewSide = 800
/** Forty fit into one PDF. */
const maxPageBytes = 1.2 * 2 ** 20
const within = { fit: 'inside', withoutEnlargement: true } as const
const qualities = [85, 72, 58, 42]

/** @throws {PaperError} */
export async function pageOfPicture(
  bytes: Uint8Array,
  { corners: wanted, turns }: Pick<PageOfPictureTask, 'corners' | 'turns'>,
  step: () => void,
): Promise<PageOfPicture> {
  const picture = await decodePicture(bytes)
  step()
  const { width, height } = picture
  const scaled = (points: PictureCorners) => toCorners(points.map(([x, y]): Point => [x * width, y * height]))
  const [found = null, ...others] = wanted === 'find' ? await findSheets(picture) : []
  const corners = wanted === 'find' ? found : wanted && scaled(wanted)
  const shares = (points: Corners) =>
    points.map(([x, y]): Point => [round(x / width), round(y / height)]) as PictureCorners
  if (corners && !looksLikeASheet(corners)) throw pictureError('not_sheet')
  const frame = corners ?? cornersOf({ x: 0, y: 0, width, height })
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
    corners: corners && shares(corners),
    others: others.map(shares),
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

function fitA4(ratio: number): { width: number; height: number } {
  const long = 841.89
  return ratio < 1 ? { width: long * ratio, height: long } : { width: long, height: long / ratio }
}

const side = 320
/** Of 255, and the most a pixel is lightened: darker is no shadow, but a picture on the page. */
const white = 250
const maxGain = 3.2

/** Corrects each pixel by the light of the paper around it. Colours stay but for the lamp's tint. */
function evenLight<P extends ColourPixels>(page: P): Promise<P> {
  return withOpenCv((cv, own) => {
    const scale = Math.min(1, side / Math.max(page.width, page.height))
    const [width, height] = [Math.ceil(page.width * scale), Math.ceil(page.height * scale)]
    const whole = own(new cv.Mat(page.height, page.width, page.channels === 1 ? cv.CV_8UC1 : cv.CV_8UC3))
    whole.data.set(page.data)
    const light = own(new cv.Mat())
    cv.resize(whole, light, new cv.Size(width, height), 0, 0, cv.INTER_AREA)
    // Writing takes the brightest value around it; then the edges of that are smoothed.
    const kernel = own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(15, 15)))
    cv.morphologyEx(light, light, cv.MORPH_CLOSE, kernel)
    cv.medianBlur(light, light, 15)
    cv.GaussianBlur(light, light, new cv.Size(9, 9), 0)
    const even = Uint8Array.from(page.data)
    const { channels } = page
    const of = light.data
    // The paper's tint over the page: a shadow differs from it in brightness, a blue field in colour.
    const tint = Array.from({ length: channels }, (_, c) => upperMean(of, c, channels))
    const brightest = Math.max(...tint)
    for (let y = 0; y < page.height; y += 1) {
      const sy = Math.min(height - 1.001, Math.max(0, (y + 0.5) * scale - 0.5))
      const [y0, fy] = [Math.floor(sy), sy - Math.floor(sy)]
      for (let x = 0; x < page.width; x += 1) {
        const sx = Math.min(width - 1.001, Math.max(0, (x + 0.5) * scale - 0.5))
        const [x0, fx] = [Math.floor(sx), sx - Math.floor(sx)]
        const at = channels * (y0 * width + x0)
        const below = at + (height > 1 ? channels * width : 0)
        let ground = 0
        for (let c = 0; c < channels; c += 1) {
          const upper = (of[at + c] ?? 0) * (1 - fx) + (of[at + channels + c] ?? 0) * fx
          const lower = (of[below + c] ?? 0) * (1 - fx) + (of[below + channels + c] ?? 0) * fx
          ground = Math.max(ground, ((upper * (1 - fy) + lower * fy) * brightest) / (tint[c] || 1))
        }
        const gain = Math.min(maxGain, white / (ground || 1))
        const index = channels * (y * page.width + x)
        for (let c = 0; c < channels; c += 1)
          even[index + c] = Math.min(255, ((page.data[index + c] ?? 0) * gain * brightest) / (tint[c] || 1))
      }
    }
    return { ...page, data: even }
  })
}

function upperMean(data: Uint8Array, channel: number, channels: number): number {
  const counts = new Uint32Array(256)
  let total = 0
  for (let at = channel; at < data.length; at += channels) {
    counts[data[at] ?? 0] = (counts[data[at] ?? 0] ?? 0) + 1
    total += 1
  }
  let [left, sum] = [total / 2, 0]
  for (let value = 255; value >= 0 && left > 0; value -= 1) {
    const taken = Math.min(left, counts[value] ?? 0)
    sum += taken * value
    left -= taken
  }
  return total > 0 ? sum / (total / 2) : 255
}

/** HEIC is decoded whole, in WASM, and needs more memory a pixel. */
const maxPixels = { others: 50e6, heic: 25e6 }
/** Larger ones are shrunk while decoding: a sheet filling most of the picture keeps 250 dpi. */
const workingPixels = 8.5e6

interface Picture extends ColourPixels {
  channels: 3
  type: PictureType
}

/** In RGB without transparency. @throws {PaperError} */
async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length === 0) throw pictureError('empty')
  const type = pictureType(bytes)
  if (!type) throw pictureError('not_picture')
  if (unpacksTooLarge(bytes, type)) throw pictureError('too_much_memory')
  try {
    return { ...(type === 'heic' ? await decodeHeic(bytes) : await decodeOthers(bytes)), type }
  } catch (error) {
    if (error instanceof Error && error.name === 'PaperError') throw error
    throw pictureError('damaged', { cause: error })
  }
}

async function decodeOthers(bytes: Uint8Array): Promise<ColourPixels & { channels: 3 }> {
  // Limits are checked on the header alone. A truncated file is an error, as writing may be missing.
  const open = () => sharp(bytes, { limitInputPixels: maxPixels.others, failOn: 'truncated', pages: 1 })
  const header: Metadata = await sharp(bytes, { limitInputPixels: false, pages: -1 }).metadata()
  if ((header.pages ?? 1) > 1) throw pictureError('moving')
  if (header.width * header.height > maxPixels.others) throw pictureError('too_many_pixels')
  const turned = (header.orientation ?? 1) >= 5
  const [width, height] = turned ? [header.height, header.width] : [header.width, header.height]
  return toRgb(open().autoOrient(), width, height)
}

async function toRgb(image: Sharp, width: number, height: number): Promise<ColourPixels & { channels: 3 }> {
  const scale = Math.min(1, Math.sqrt(workingPixels / (width * height)))
  const sized = scale < 1 ? image.resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' }) : image
  const { data, info } = await sized
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 3) throw new Error(`a picture in ${info.channels} channels`)
  return { data, width: info.width, height: info.height, channels: 3 }
}

/** In a thread: WASM memory is freed only when its thread ends. */
async function decodeHeic(bytes: Uint8Array): Promise<ColourPixels & { channels: 3 }> {
  const thread = new Worker(new URL('./decode-heic-thread.ts', import.meta.url), {
    workerData: { bytes, maxPixels: maxPixels.heic },
    execArgv: [],
  })
  const [decoded] = (await once(thread, 'message')) as [DecodedHeic]
  await thread.terminate()
  if (typeof decoded === 'string') throw pictureError(decoded)
  const { rgba, width, height } = decoded
  return toRgb(sharp(withoutAlpha(rgba), { raw: { width, height, channels: 3 } }), width, height)
}

/** In place, as a second copy could exceed the child's limit. Transparent becomes white. */
function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255
    for (let c = 0; c < 3; c += 1)
      rgba[to + c] = alpha === 255 ? (rgba[from + c] ?? 0) : 255 - ((255 - (rgba[from + c] ?? 0)) * alpha) / 255
  }
  return new Uint8Array(rgba.buffer, 0, (rgba.length / 4) * 3)
}
