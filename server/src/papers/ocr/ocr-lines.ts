import type { Box, Line } from '@assay/shared/papers.ts'
import { type PixelBox, roundBox } from '../geometry/boxes.ts'
import { toLines } from '../text/page-lines.ts'
import type { TextRun } from '../text/text-run.ts'
import type { RuledLine } from './ruled-lines.ts'

/** In pixels of the deskewed image. */
export interface OcrWord {
  text: string
  confidence: number
  bbox: PixelBox
  em: number
  baseline: number
  struck: boolean
}

interface OcrRow {
  words: { text: string; confidence: number; bbox: PixelBox }[]
}

/** Shares of the font's height. */
const ASCENDER = 0.72
const X_HEIGHT = 0.5
const DESCENDER = 0.22
const LEAST_LETTER = 0.28
/** From the middle of small letters to a line that still strikes them out. */
const OFF_MIDDLE = 0.14
const RULE_OR_DASHES = /^[_\-–—=|~.·]{2,}$|^[_|~—]$/

/** Tesseract reads ruled lines and paper edges as dashes and bars. */
export function wordsOfRow({ words }: OcrRow, rules: readonly RuledLine[]): OcrWord[] {
  const shown = words.filter(({ text }) => text.trim() !== '' && !RULE_OR_DASHES.test(text))
  if (!shown.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) return []
  const sizes = shown.map(emOf).toSorted((a, b) => a - b)
  const em = sizes[Math.floor((sizes.length - 1) / 2)] ?? 1
  const read = shown.filter(({ text, bbox }) => !/[\p{L}\p{N}]/u.test(text) || bbox.y1 - bbox.y0 > LEAST_LETTER * em)
  return read.map((word): OcrWord => {
    const baseline = word.bbox.y1 - (hangs(word.text) ? DESCENDER * em : 0)
    return {
      ...word,
      confidence: word.confidence / 100,
      em,
      baseline,
      struck: isStruck(word.bbox, baseline, em, rules),
    }
  })
}

const hangs = (text: string): boolean => /[gjpqyQ,;()[\]{}|$]/.test(text)
const rises = (text: string): boolean => /[\p{Lu}\p{N}bdfhijklt()[\]{}|$!?'"]/u.test(text)

function emOf({ text, bbox }: OcrRow['words'][number]): number {
  return (bbox.y1 - bbox.y0) / ((rises(text) ? ASCENDER : X_HEIGHT) + (hangs(text) ? DESCENDER : 0))
}

function isStruck({ x0, x1 }: PixelBox, baseline: number, em: number, rules: readonly RuledLine[]): boolean {
  const middle = baseline - (X_HEIGHT * em) / 2
  return rules.some(
    (rule) =>
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > 0.7 * (x1 - x0) &&
      // A line to write on goes far beyond the words.
      Math.abs((rule.y0 + rule.y1) / 2 - middle) < OFF_MIDDLE * em,
  )
}

interface Placing {
  line(box: PixelBox): Box
  word(box: PixelBox): Box
}

export function toOcrLines(
  words: readonly OcrWord[],
  image: { width: number; height: number },
  place: Placing,
): Line[] {
  const runs = words.map(
    ({ text, bbox, em, baseline }): TextRun => ({
      text: `${text} `,
      box: { x: bbox.x0, y: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 },
      direction: 0,
      size: Math.max(8, em),
      baseline,
      endsLine: false,
    }),
  )
  return toLines(runs, image, undefined, 'rows').flatMap(({ text, box, cells }) => {
    const own = words.filter(({ bbox }) => isWithin(bbox, box))
    // In bold print OCR joins a question's number with its first word.
    const clean = text.trim().replace(/^(\d{1,2}[.)])(?=\p{L})/u, '$1 ')
    if (!/[\p{L}\p{N}]/u.test(clean) || own.length === 0) return []
    const corners = { x0: box.x, y0: box.y, x1: box.x + box.width, y1: box.y + box.height }
    return [
      {
        text: clean,
        box: place.line(corners),
        source: 'ocr' as const,
        confidence: round(weightedMean(own.map((word) => [word.text.length, word.confidence]))),
        ...(cells ? { cells: cells.map((cell) => ({ ...cell, ...placeAcross(cell, corners, place.line) })) } : {}),
        words: own
          .toSorted((a, b) => a.bbox.x0 - b.bbox.x0)
          .map(({ text, bbox, confidence }) => ({
            text,
            box: roundBox(place.word(bbox)),
            confidence: round(confidence),
          })),
      },
    ]
  })
}

const round = (value: number): number => Math.round(value * 100) / 100

function placeAcross({ x, width }: { x: number; width: number }, row: PixelBox, place: (box: PixelBox) => Box) {
  const middle = (row.y0 + row.y1) / 2
  const placed = place({ x0: x, x1: x + width, y0: middle, y1: middle })
  return { x: round(placed.x), width: round(placed.width) }
}

const isWithin = ({ x0, x1, y0, y1 }: PixelBox, { x, y, width, height }: Box): boolean => {
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2]
  return middleX >= x && middleX <= x + width && middleY >= y && middleY <= y + height
}

export function weightedMean(pairs: readonly (readonly [number, number])[]): number {
  const weight = pairs.reduce((sum, [one]) => sum + one, 0)
  return pairs.reduce((sum, [one, value]) => sum + one * value, 0) / Math.max(1, weight)
}
