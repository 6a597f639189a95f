import type { PixelBox } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'

export interface InkBlob extends PixelBox {
  pixels: number
}

/** Of 255; lighter is paper or the edge of a stroke. */
export const DARK = 150
/** A page with more is noise. */
const MOST_BLOBS = 60_000

/** Connected components, by runs that touch those of the row above. */
export function findInkBlobs({ data, width, height }: PageImage, dark = DARK): InkBlob[] {
  const parent: number[] = []
  const boxes: InkBlob[] = []
  const rootOf = (id: number): number => {
    let at = id
    while (parent[at] !== at) at = parent[at] = parent[parent[at] ?? at] ?? at
    return at
  }
  let above: { from: number; to: number; id: number }[] = []
  for (let y = 0; y < height && boxes.length < MOST_BLOBS; y += 1) {
    const row: typeof above = []
    let next = 0
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) >= dark) continue
      const from = x
      while (x < width && (data[y * width + x] ?? 255) < dark) x += 1
      const to = x - 1
      while (next < above.length && (above[next]?.to ?? 0) < from - 1) next += 1
      let id = -1
      for (let k = next; k < above.length && (above[k]?.from ?? 0) <= to + 1; k += 1) {
        const other = rootOf(above[k]?.id ?? 0)
        if (id < 0) id = other
        else if (other !== id) {
          parent[other] = id
          mergeInto(boxes[id], boxes[other])
        }
      }
      if (id < 0) {
        id = boxes.length
        parent.push(id)
        boxes.push({ x0: from, y0: y, x1: to, y1: y, pixels: 0 })
      }
      mergeInto(boxes[id], { x0: from, y0: y, x1: to, y1: y, pixels: to - from + 1 })
      row.push({ from, to, id })
    }
    above = row
  }
  return boxes.filter((_, id) => parent[id] === id)
}

function mergeInto(blob: InkBlob | undefined, other: InkBlob | undefined): void {
  if (!blob || !other) return
  blob.x0 = Math.min(blob.x0, other.x0)
  blob.y0 = Math.min(blob.y0, other.y0)
  blob.x1 = Math.max(blob.x1, other.x1)
  blob.y1 = Math.max(blob.y1, other.y1)
  blob.pixels += other.pixels
}
