import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type PictureType, pictureType } from '../../lib/picture-type.ts'
import type { DecodedHeic } from './decode-heic-thread.ts'
import { pictureError } from './picture-error.ts'
import type { ColourPixels } from './small-picture.ts'

/** Pixels of a picture that may be opened: what a phone takes. HEIC is decoded whole, in WASM, and needs more memory a pixel. */
const maxPixels = { others: 50e6, heic: 25e6 }
/** More than this is shrunk while it is decoded: a sheet that fills most of the picture still has 250 dpi. */
const workingPixels = 8.5e6

export interface Picture extends ColourPixels {
  channels: 3
  type: PictureType
}

/** A picture upright, in RGB and without transparency, at most 8.5 megapixels. Throws PaperError. */
export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length === 0) throw pictureError('empty')
  const type = pictureType(bytes)
  if (!type) throw pictureError('not_picture')
  try {
    return { ...(type === 'heic' ? await decodeHeic(bytes) : await decodeOthers(bytes)), type }
  } catch (error) {
    if (error instanceof Error && error.name === 'PaperError') throw error
    throw pictureError('damaged', { cause: error })
  }
}

async function decodeOthers(bytes: Uint8Array): Promise<ColourPixels & { channels: 3 }> {
  // The header alone is read before the limits are known to hold. Pixels that are missing at the end are an error, as writing may be.
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

/** In a thread of its own: what WASM has taken is given back only when its thread ends, and the sheet needs the room. */
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

/** In place, as a second copy of a large picture is what takes a child over its limit. Transparent becomes white. */
function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255
    for (let c = 0; c < 3; c += 1)
      rgba[to + c] = alpha === 255 ? (rgba[from + c] ?? 0) : 255 - ((255 - (rgba[from + c] ?? 0)) * alpha) / 255
  }
  return new Uint8Array(rgba.buffer, 0, (rgba.length / 4) * 3)
}
