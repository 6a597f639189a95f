import type { Box, InkMark } from '@assay/shared/papers.ts'
import type { PixelBox } from '../geometry/boxes.ts'
import { roundBox } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { DARK, type InkBlob } from './ink-blobs.ts'
import type { OcrWord } from './ocr-lines.ts'

/** Smaller is dust, in pixels at 200 dpi. */
const SMALLEST = 7
/** Larger ones are figures or edges of the sheet. */
const LARGEST = 900
const TALLEST_LETTER = 1.15
const UNSURE = 0.8
/** A sheet has fewer unless it is a photo or full of handwriting; the largest suffice. */
const MOST_MARKS = 500
/** Smaller marks cannot be assigned to rows; in points. */
const LEAST_HEIGHT = 7

/** Ink that is no letter of the words read: rings, ticks, crosses, scribbles. */
export function inkMarks(
  blobs: readonly InkBlob[],
  words: readonly OcrWord[],
  image: PageImage,
  place: (box: PixelBox) => Box,
): InkMark[] {
  const rows = new Map<number, OcrWord[]>()
  for (const word of words)
    for (let row = Math.floor(word.bbox.y0 / 64); row <= Math.floor(word.bbox.y1 / 64); row += 1)
      rows.set(row, [...(rows.get(row) ?? []), word])
  const marks = blobs.filter((blob) => {
    const [width, height] = [blob.x1 - blob.x0 + 1, blob.y1 - blob.y0 + 1]
    if (Math.max(width, height) < SMALLEST || Math.max(width, height) > LARGEST) return false
    const [x, y] = [(blob.x0 + blob.x1) / 2, (blob.y0 + blob.y1) / 2]
    const word = rows
      .get(Math.floor(y / 64))
      ?.find(({ bbox }) => x >= bbox.x0 && x <= bbox.x1 && y >= bbox.y0 && y <= bbox.y1)
    if (!word) return true
    // Around a letter OCR reads the ring as part of it, and a tick or an empty box as a letter.
    return !word.struck && (height > TALLEST_LETTER * word.em || word.text.length <= 2 || word.confidence < UNSURE)
  })
  const sizeOf = ({ x0, x1, y0, y1 }: InkBlob) => Math.max(x1 - x0, y1 - y0)
  const largest =
    marks.length > MOST_MARKS ? marks.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_MARKS) : marks
  return largest.map((blob) => {
    const box = roundBox(place(blob))
    const rows = box.height < LEAST_HEIGHT ? 1 : Math.round(box.height)
    return { box, rows: darknessByRow(image, blob, rows) }
  })
}

function darknessByRow({ data, width }: PageImage, { x0, y0, x1, y1 }: PixelBox, rows: number): number[] {
  const height = y1 - y0 + 1
  return Array.from({ length: rows }, (_, row) => {
    const [from, to] = [
      y0 + Math.floor((row * height) / rows),
      y0 + Math.max(1, Math.floor(((row + 1) * height) / rows)),
    ]
    let dark = 0
    let all = 0
    for (let y = from; y < Math.max(to, from + 1); y += 1)
      for (let x = x0; x <= x1; x += 1) {
        if ((data[y * width + x] ?? 255) < DARK) dark += 1
        all += 1
      }
    return Math.round((dark / Math.max(1, all)) * 100) / 100
  })
}
