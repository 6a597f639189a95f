import type { Box } from '@assay/shared/papers.ts'
import { apply } from '../../lib/plane-transform.ts'
import { roundBox } from '../geometry/boxes.ts'
import { boundingBox, cornersOf } from '../geometry/matrix.ts'
import type { Ocr, OcrPage } from '../ocr/ocr.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { findSheets } from './find-sheet.ts'
import { type Corners, distance, sidesOf } from './quadrilateral.ts'
import type { ColourPixels } from './small-picture.ts'
import { sheetSize, straighten } from './straighten.ts'

/** A photo's sheets are straightened and read one by one. Boxes are of the page as it is. */
export async function readPhotographedPage(
  ocr: Ocr,
  image: PageImage,
  page: { width: number; height: number },
): Promise<OcrPage> {
  const picture: ColourPixels = { ...image, channels: 1 }
  const sheets: OcrPage[] = []
  for (const corners of isLightAround(image) ? [] : await findSheets(picture))
    sheets.push(await readSheet(ocr, picture, corners, page.width / image.width))
  const [first] = sheets
  if (!first) return ocr.read(image, page)
  const all = <T>(of: (sheet: OcrPage) => readonly T[]): T[] => sheets.flatMap((sheet) => [...of(sheet)])
  return { ...first, lines: all(({ lines }) => lines), ink: all(({ ink }) => ink), shapes: all(({ shapes }) => shapes) }
}

/** @param scale points of the page for a pixel of the picture */
async function readSheet(ocr: Ocr, picture: ColourPixels, corners: Corners, scale: number): Promise<OcrPage> {
  const [top = 1, right = 1, bottom = 1, left = 1] = sidesOf(corners).map(([from, to]) => distance(from, to))
  const { ratio } = sheetSize(corners, picture)
  const width = Math.round(Math.max(top, bottom, Math.max(left, right) * ratio))
  const { sheet, toPicture } = await straighten(picture, corners, { width, height: Math.round(width / ratio) })
  const size = { width: sheet.width * scale, height: sheet.height * scale }
  const read = await ocr.read(sheet, size)
  const place = (box: Box): Box => {
    const there = cornersOf(box).map(([x, y]) => apply(toPicture, [x / scale, y / scale]))
    return roundBox(boundingBox(there.map(([x, y]) => [x * scale, y * scale] as const)))
  }
  const placed = <T extends { box: Box }>(one: T): T => ({ ...one, box: place(one.box) })
  return {
    ...read,
    lines: read.lines.map((line) => ({ ...placed(line), ...(line.words ? { words: line.words.map(placed) } : {}) })),
    ink: read.ink.map(placed),
    shapes: read.shapes.map(placed),
  }
}

const borderShare = 0.012

/** A strip of shade along one or two borders of a scan is no table. */
function isLightAround({ data, width, height }: PageImage): boolean {
  const border = Math.max(2, Math.round(width * borderShare))
  const isDark = (x: number, y: number) => (data[y * width + x] ?? 255) < 150
  const darkShare = (fromX: number, toX: number, fromY: number, toY: number) => {
    let [dark, all] = [0, 0]
    for (let y = fromY; y < toY; y += 2)
      for (let x = fromX; x < toX; x += 2) {
        all += 1
        if (isDark(x, y)) dark += 1
      }
    return dark / all
  }
  const sides = [
    darkShare(0, width, 0, border),
    darkShare(0, width, height - border, height),
    darkShare(0, border, 0, height),
    darkShare(width - border, width, 0, height),
  ]
  return sides.filter((share) => share > 0.25).length < 2
}
