import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import type { Point } from '../geometry/matrix.ts'
import { correctFlatField } from '../ocr/flat-field-correction.ts'
import { type PageImage, resized, toPgm } from '../pdf/page-image.ts'
import { decodePageCode, type PageCode } from './page-code.ts'

export interface SeenCode extends PageCode {
  place: 'top' | 'bottom'
  corners: Point[]
}

let loading: Promise<unknown> | undefined

/** Without the local file the library would fetch its WebAssembly from a CDN. */
function loadReader(): Promise<unknown> {
  loading ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then((file) =>
    prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(file).buffer }, fireImmediately: true }),
  )
  return loading
}

/** A page has two of ours; more may be the teacher's. */
const MOST_CODES = 12

const options: ReaderOptions = {
  formats: ['QRCode'],
  tryInvert: false,
  tryDownscale: false,
  maxNumberOfSymbols: MOST_CODES,
}

const attempts: readonly { scale: number; even: boolean; options: ReaderOptions }[] = [
  { scale: 1, even: false, options: {} },
  { scale: 1, even: true, options: { binarizer: 'GlobalHistogram' } },
  { scale: 1.5, even: true, options: { tryDenoise: true } },
  { scale: 2, even: false, options: {} },
]

export async function readQrCodes(picture: PageImage): Promise<SeenCode[]> {
  await loadReader()
  for (const attempt of attempts) {
    const even = attempt.even ? { ...picture, data: await correctFlatField(picture) } : picture
    const scaled = attempt.scale === 1 ? even : await resized(even, attempt.scale, 'cubic')
    const seen = await read(scaled, attempt.scale, attempt.options)
    if (seen.length > 0) return seen
  }
  return []
}

export async function readLargeCodes(picture: PageImage): Promise<SeenCode[]> {
  await loadReader()
  return read(picture, 1, {})
}

async function read(picture: PageImage, scale: number, more: ReaderOptions): Promise<SeenCode[]> {
  const found = await readBarcodes(toPgm(picture), { ...options, ...more })
  return found.flatMap(({ isValid, bytes, position: p }) => {
    const code = isValid ? decodePageCode(bytes) : null
    const corners = [p.topLeft, p.topRight, p.bottomRight, p.bottomLeft]
    return code ? [{ ...code, corners: corners.map(({ x, y }): Point => [x / scale, y / scale]) }] : []
  })
}
