import type { PixelBox } from '../geometry/boxes.ts'
import type { InkBlob } from './ink-blobs.ts'

export interface ReadWord {
  text: string
  confidence: number
  bbox: PixelBox
  symbols: ReadSymbol[]
}

interface ReadSymbol {
  text: string
  confidence: number
  bbox: PixelBox
}

/** A read letter, its largest blob of ink, and the others. */
export interface InkedSymbol extends ReadSymbol {
  main: InkBlob | undefined
  others: InkBlob[]
}

/** Indexed by height. */
export interface BlobIndex {
  within(box: PixelBox): InkBlob[]
}

const BAND = 64

export function indexBlobs(blobs: readonly InkBlob[]): BlobIndex {
  const bands = new Map<number, InkBlob[]>()
  for (const blob of blobs) {
    const band = Math.floor(middle(blob.y0, blob.y1) / BAND)
    bands.set(band, [...(bands.get(band) ?? []), blob])
  }
  return {
    within({ x0, x1, y0, y1 }) {
      const found: InkBlob[] = []
      for (let band = Math.floor(y0 / BAND); band <= Math.floor(y1 / BAND); band += 1)
        for (const blob of bands.get(band) ?? []) {
          const [x, y] = [middle(blob.x0, blob.x1), middle(blob.y0, blob.y1)]
          if (x >= x0 && x <= x1 && y >= y0 && y <= y1) found.push(blob)
        }
      return found
    },
  }
}

export const middle = (from: number, to: number): number => (from + to) / 2
export const heightOf = ({ y0, y1 }: PixelBox): number => y1 - y0 + 1
export const widthOf = ({ x0, x1 }: PixelBox): number => x1 - x0 + 1

/** Blobs belong to the letter whose box holds them, or to the nearest where boxes overlap. */
export function inkOf({ symbols, bbox }: ReadWord, blobs: BlobIndex): InkedSymbol[] {
  const inked = symbols.map((symbol): InkedSymbol => ({ ...symbol, main: undefined, others: [] }))
  for (const blob of blobs.within({ x0: bbox.x0 - 1, x1: bbox.x1 + 1, y0: bbox.y0 - 2, y1: bbox.y1 + 3 })) {
    const x = middle(blob.x0, blob.x1)
    const away = (one: InkedSymbol) => Math.abs(middle(one.bbox.x0, one.bbox.x1) - x)
    const [own] = inked.filter(({ bbox }) => x >= bbox.x0 - 1 && x <= bbox.x1 + 1).sort((a, b) => away(a) - away(b))
    if (!own) continue
    const isLarger = !own.main || heightOf(blob) * widthOf(blob) > heightOf(own.main) * widthOf(own.main)
    if (isLarger && own.main) own.others.push(own.main)
    if (isLarger) own.main = blob
    else own.others.push(blob)
  }
  return inked
}

export interface Figures {
  height: number
  baseline: number
}
