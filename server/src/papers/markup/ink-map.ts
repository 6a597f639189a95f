import type { Box } from '@assay/shared/papers.ts'
import { type QuarterTurns, rotateImage } from '../geometry/quarter-turns.ts'
import { correctFlatField } from '../ocr/flat-field-correction.ts'
import type { PageImage } from '../pdf/page-image.ts'

/** Boxes are in points of the page as shown. */
export interface InkMap {
  /** The dark share of a box, 0 to 1; off the page all is dark. */
  share(box: Box): number
  /** `ruled`: empty but for lines to write on. */
  blank(box: Box): 'empty' | 'ruled' | null
  occupy(box: Box): void
}

/** Share of a box, and two pixels: a scan's dust. */
const DUST = 0.002

interface Pixels {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** At one pixel a point a thin stroke is grey. */
const INK = 212

/** Evens out shadows first. `turns` make `image` upright; `page` is in points. */
export async function mapInk(
  image: PageImage,
  turns: QuarterTurns,
  page: { width: number; height: number },
): Promise<InkMap> {
  const { data, width, height } = await rotateImage(image, turns)
  const even = await correctFlatField({ data, width, height })
  const dark = Uint8Array.from(even, (value) => (value < INK ? 1 : 0))
  let sums = sumUp(dark, width, height)
  const [sx, sy] = [width / page.width, height / page.height]
  const pixels = ({ x, y, width: w, height: h }: Box): Pixels => ({
    x1: Math.floor(x * sx),
    y1: Math.floor(y * sy),
    x2: Math.ceil((x + w) * sx),
    y2: Math.ceil((y + h) * sy),
  })
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0
  const count = (x1: number, y1: number, x2: number, y2: number) => at(x2, y2) - at(x1, y2) - at(x2, y1) + at(x1, y1)
  const isOff = ({ x1, y1, x2, y2 }: Pixels) => x1 < 0 || y1 < 0 || x2 > width || y2 > height
  return {
    share(box) {
      const area = pixels(box)
      const { x1, y1, x2, y2 } = area
      return isOff(area) ? 1 : count(x1, y1, x2, y2) / Math.max(1, (x2 - x1) * (y2 - y1))
    },
    blank(box) {
      const area = pixels(box)
      const { x1, y1, x2, y2 } = area
      if (isOff(area)) return null
      const dust = 2 + DUST * (x2 - x1) * (y2 - y1)
      const dark = count(x1, y1, x2, y2)
      if (dark <= dust) return 'empty'
      if (dark > 0.25 * (x2 - x1) * (y2 - y1)) return null
      let rest = 0
      for (let y = y1; y < y2; y += 1) {
        const row = count(x1, y, x2, y + 1)
        if (row < 0.9 * (x2 - x1)) rest += row
      }
      return rest <= dust ? 'ruled' : null
    },
    occupy(box) {
      const { x1, y1, x2, y2 } = pixels(box)
      const [left, right] = [Math.max(0, x1), Math.min(width, x2)]
      for (let y = Math.max(0, y1); y < Math.min(height, y2); y += 1)
        if (right > left) dark.fill(1, y * width + left, y * width + right)
      sums = sumUp(dark, width, height)
    },
  }
}

function sumUp(dark: Uint8Array, width: number, height: number): Uint32Array {
  const sums = new Uint32Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y += 1) {
    let row = 0
    for (let x = 0; x < width; x += 1) {
      row += dark[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  return sums
}
