import { mean } from '../../lib/numbers.ts'
import { cellsAround } from '../geometry/grid.ts'
import { type PageImage, sharpOf, toGrey } from '../pdf/page-image.ts'

/** Pixels, about a letter's height at 200 dpi. */
const blockPixels = 16

export async function correctFlatField({ data, width, height }: PageImage): Promise<Buffer> {
  const columns = Math.ceil(width / blockPixels)
  const rows = Math.ceil(height / blockPixels)
  const overNeighbours = (blocks: Uint8Array, of: (values: number[]) => number) =>
    blocks.map((_, at) => of(cellsAround(at, { width: columns, height: rows }).map((near) => blocks[near] ?? 255)))
  // The brightest of the neighbours, as a heading may fill a block with ink; then blurred twice.
  const brightest = overNeighbours(paperBrightness(data, width, height, columns, rows), (values) => Math.max(...values))
  const paper = overNeighbours(overNeighbours(brightest, mean), mean)
  const stride = columns * blockPixels
  const blocks = sharpOf({ data: paper, width: columns, height: rows })
  const { data: background } = await toGrey(
    blocks.resize(stride, rows * blockPixels, { fit: 'fill', kernel: 'linear' }),
  )
  const even = Buffer.allocUnsafe(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x
      even[index] = Math.min(255, ((data[index] ?? 255) * 255) / (background[y * stride + x] || 1))
    }
  return even
}

/** The upper quartile, so that noise does not decide. */
function paperBrightness(data: Uint8Array, width: number, height: number, columns: number, rows: number): Buffer {
  const out = Buffer.alloc(columns * rows)
  const counts = new Uint16Array(64)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      counts.fill(0)
      let total = 0
      const [y2, x2] = [Math.min(height, (row + 1) * blockPixels), Math.min(width, (column + 1) * blockPixels)]
      for (let y = row * blockPixels; y < y2; y += 2)
        for (let x = column * blockPixels; x < x2; x += 1) {
          const bin = (data[y * width + x] ?? 0) >> 2
          counts[bin] = (counts[bin] ?? 0) + 1
          total += 1
        }
      let above = total / 4
      let bin = 63
      while (bin > 0 && above > (counts[bin] ?? 0)) {
        above -= counts[bin] ?? 0
        bin -= 1
      }
      out[row * columns + column] = bin * 4 + 2
    }
  return out
}
