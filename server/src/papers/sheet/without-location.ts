import { inflateSync } from 'node:zlib'
import type { PictureType } from '../../lib/picture-type.ts'

/** Keeps pixels and orientation; drops EXIF, XMP, comments and trailing data, which tell time, place and device. */
export function withoutLocation(bytes: Uint8Array, type: PictureType): Buffer {
  return cleaners[type](Buffer.from(bytes))
}

const cleaners = { jpeg: cleanJpeg, png: cleanPng, webp: cleanWebp, heic: cleanHeic }

/** Decoding needs the ICC profile (APP2) and Adobe's colour transform (APP14). */
function cleanJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2), orientationSegment(jpegOrientation(bytes))]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const isIcc = marker === 0xe2 && bytes.toString('latin1', at + 4, at + 15) === 'ICC_PROFILE'
    if (marker === 0xfe || (marker >= 0xe0 && marker <= 0xef && !isIcc && marker !== 0xee && marker !== 0xe0)) {
      at = end
      continue
    }
    if (marker === 0xda) break
    kept.push(bytes.subarray(at, end))
    at = end
  }
  // Phones put a film or a second picture after the end; a marker in the data is followed by a byte that is not 0.
  const end = jpegEnd(bytes, at)
  return Buffer.concat([...kept, bytes.subarray(at, end)])
}

function jpegEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return at + 2
  return bytes.length
}

/** 1 to 8 (TIFF 6.0, tag 274). */
function jpegOrientation(bytes: Buffer): number {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (bytes[at + 1] === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      return tiffOrientation(bytes.subarray(at + 10, end))
    at = end
  }
  return 1
}

function tiffOrientation(tiff: Buffer): number {
  if (tiff.length < 14) return 1
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let i = 0; i < short(first); i += 1) {
    const entry = first + 2 + 12 * i
    if (entry + 12 > tiff.length) return 1
    const value = short(entry + 8)
    if (short(entry) === 0x0112) return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

function orientationSegment(orientation: number): Buffer {
  if (orientation === 1) return Buffer.alloc(0)
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000' + '00000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** What decoding needs (PNG, third edition, section 5.6). */
const pngChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'cICP'])

function cleanPng(bytes: Buffer): Buffer {
  const kept = chunksOfPng(bytes).filter(({ name }) => pngChunks.has(name))
  return Buffer.concat([bytes.subarray(0, 8), ...kept.map(({ chunk }) => chunk)])
}

function chunksOfPng(bytes: Buffer): { name: string; chunk: Buffer }[] {
  const found: { name: string; chunk: Buffer }[] = []
  for (let at = 8; at + 12 <= bytes.length && found.at(-1)?.name !== 'IEND'; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    found.push({ name: bytes.toString('latin1', at + 4, at + 8), chunk: bytes.subarray(at, end) })
    at = end
  }
  return found
}

/** Colour profiles of cameras and scanners have up to some 2 MB. */
const MOST_UNPACKED = 4 * 2 ** 20

/** A compressed profile or text would fill the memory when the picture is opened. */
export function unpacksTooLarge(bytes: Uint8Array, type: PictureType): boolean {
  if (type !== 'png') return false
  return chunksOfPng(Buffer.from(bytes)).some(({ name, chunk }) => {
    if (name !== 'iCCP' && name !== 'zTXt') return false
    const nameEnd = chunk.indexOf(0, 8)
    try {
      inflateSync(chunk.subarray(nameEnd + 2), { maxOutputLength: MOST_UNPACKED })
      return false
    } catch (error) {
      return error instanceof RangeError
    }
  })
}

function cleanWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  for (let at = 12; at + 8 <= end; ) {
    const next = at + 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)
    const name = bytes.toString('latin1', at, at + 4)
    if (['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP'].includes(name)) {
      const chunk = Buffer.from(bytes.subarray(at, next))
      // The flags of EXIF and XMP.
      if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~0x0c
      kept.push(chunk)
    }
    at = next
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** EXIF and XMP are zeroed in place (ISO/IEC 14496-12, 8.11): moving bytes would break other items' offsets. */
function cleanHeic(bytes: Buffer): Buffer {
  const clean = Buffer.from(bytes)
  const top = boxesIn(clean, 0, clean.length)
  const meta = top.find(({ type }) => type === 'meta')
  for (const { type, from, to } of top) if (!['ftyp', 'meta', 'mdat'].includes(type)) clean.fill(0, from, to)
  clean.fill(0, top.at(-1)?.to ?? 0)
  if (!meta) return clean
  const inner = boxesIn(clean, meta.from + 4, meta.to)
  const find = (wanted: string) => inner.find(({ type }) => type === wanted)
  const [infos, places, data] = [find('iinf'), find('iloc'), find('idat')]
  if (!infos || !places) return clean
  const count = clean[infos.from] === 0 ? 2 : 4
  const notes = new Set<number>()
  for (const { type, from } of boxesIn(clean, infos.from + 4 + count, infos.to)) {
    if (type !== 'infe') continue
    const version = clean[from] ?? 0
    const wide = version > 2 ? 4 : 2
    const kind = clean.toString('latin1', from + 4 + wide + 2, from + 4 + wide + 6)
    if (kind === 'Exif' || kind === 'mime') notes.add(clean.readUIntBE(from + 4, wide))
  }
  for (const { item, method, from, to } of itemPlaces(clean, places)) {
    if (!notes.has(item)) continue
    const base = method === 1 ? (data?.from ?? clean.length) : 0
    clean.fill(0, Math.min(clean.length, base + from), Math.min(clean.length, base + to))
  }
  return clean
}

interface BoxOfFile {
  type: string
  from: number
  to: number
}

function boxesIn(bytes: Buffer, start: number, end: number): BoxOfFile[] {
  const found: BoxOfFile[] = []
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at)
    const [head, length] =
      size === 1 && at + 16 <= end ? [16, Number(bytes.readBigUInt64BE(at + 8))] : [8, size === 0 ? end - at : size]
    if (length < head || at + length > end) break
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), from: at + head, to: at + length })
    at += length
  }
  return found
}

function itemPlaces(bytes: Buffer, { from, to }: BoxOfFile) {
  const found: { item: number; method: number; from: number; to: number }[] = []
  let at = from + 4
  const version = bytes[from] ?? 0
  const read = (size: number) => {
    if (at + size > to) throw new Error('iloc ends early')
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size)
    at += size
    return value
  }
  const sizes = read(2)
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15, sizes & 15]
  const items = read(version < 2 ? 2 : 4)
  for (let i = 0; i < items; i += 1) {
    const item = read(version < 2 ? 2 : 4)
    const method = version > 0 ? read(2) & 15 : 0
    read(2)
    const base = read(baseSize)
    const extents = read(2)
    for (let k = 0; k < extents; k += 1) {
      if (version > 0) read(indexSize)
      const start = base + read(offsetSize)
      found.push({ item, method, from: start, to: start + read(lengthSize) })
    }
  }
  return found
}
