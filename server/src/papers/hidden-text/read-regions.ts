import type { Box, Line } from '@assay/shared/papers.ts'
import { bottom, grown, overlapX, overlapY, right, union } from '../geometry/boxes.ts'
import type { Ocr } from '../ocr/ocr.ts'
import { cutOut, type PageImage } from '../pdf/page-image.ts'

/** In points: Tesseract reads words at the very edge of a picture badly. */
const MARGIN = 10

/** OCR of upright parts of a page, in a fraction of the whole page's time; parts that touch are read together. */
export async function readRegions(
  ocr: Ocr,
  image: PageImage,
  boxes: readonly Box[],
  page: { width: number; height: number },
): Promise<Line[]> {
  const scale = image.width / page.width
  const lines: Line[] = []
  for (const box of mergeTouching(boxes.map((one) => grown(one, MARGIN)))) {
    const [left, top] = [Math.max(0, Math.floor(box.x * scale)), Math.max(0, Math.floor(box.y * scale))]
    const width = Math.min(image.width, Math.ceil(right(box) * scale)) - left
    const height = Math.min(image.height, Math.ceil(bottom(box) * scale)) - top
    if (width <= 0 || height <= 0) continue
    const [x, y] = [left / scale, top / scale]
    const size = { width: width / scale, height: height / scale }
    const placed = <T extends { box: Box }>(one: T): T => ({
      ...one,
      box: { ...one.box, x: one.box.x + x, y: one.box.y + y },
    })
    for (const line of await ocr.readUpright(cutOut(image, { x: left, y: top, width, height }), size))
      lines.push({ ...placed(line), ...(line.words ? { words: line.words.map(placed) } : {}) })
  }
  return lines
}

function mergeTouching(boxes: readonly Box[]): Box[] {
  const merged: Box[] = []
  for (let box of boxes) {
    for (let at = 0; at < merged.length; at += 1) {
      const other = merged[at]
      if (!other || overlapX(box, other) * overlapY(box, other) === 0) continue
      box = union(box, other)
      merged.splice(at, 1)
      // The larger one may touch those passed before.
      at = -1
    }
    merged.push(box)
  }
  return merged
}
