import type { PageImage } from '../pdf/page-image.ts'
import { superscriptText } from '../text/superscripts.ts'
import type { InkBlob } from './ink-blobs.ts'
import { isRaised, readRaised } from './raised-figures.ts'
import {
  type BlobIndex,
  type Figures,
  heightOf,
  type InkedSymbol,
  inkOf,
  type ReadWord,
  widthOf,
} from './symbol-ink.ts'

/** The ink of a page: its letters whole, and their dark parts, which touch each other less. */
export interface PageInk {
  image: PageImage
  letters: BlobIndex
  dark: BlobIndex
}

/** Of a figure's height. */
const LARGEST_POINT = 0.26
const SMALLEST_POINT = 0.08
const OFF_BASELINE = 0.12
const COMMA_TAIL = 0.14
const WIDEST_LETTER = 0.8
const FULL_HEIGHT = 0.85
/** Figures so far apart had a point between them, which may have gone with a dotted line. */
const WIDEST_GAP = 0.42
/** Figures are so much higher than small letters, with their grey edges. */
const X_TO_FIGURES = 1.25
/** Confidence of what the ink says otherwise. */
const DOUBTFUL = 40

const HAS_WORD = /\p{L}{3}/u
const HAS_FIGURES = /\d|[\p{L})][?*%!"™®ª]+$/u

/**
 * Puts right by their ink what Tesseract leaves out of numbers in print: points between figures and the rise of exponents. Other letters
 * it reads as well as can be.
 */
export function correctNumbers(words: readonly ReadWord[], ink: PageInk): ReadWord[] {
  return words.map((word) => (HAS_FIGURES.test(word.text) ? corrected(word, ink) : word))
}

function corrected(word: ReadWord, { image, letters, dark }: PageInk): ReadWord {
  const symbols = inkOf(word, letters)
  const figures = figuresOf(symbols)
  if (!figures) return word
  const darkOf = new Map(inkOf(word, dark).map((symbol) => [symbol.bbox, symbol]))
  // Letters of words may share their ink.
  const real = HAS_WORD.test(word.text)
    ? symbols
    : symbols.filter((symbol, index) => !isEcho(symbol, symbols[index - 1], symbols[index + 1], figures))
  let text = ''
  let doubtful = false
  for (const [index, symbol] of real.entries()) {
    const before = real[index - 1]
    if (before && isRaised(symbol, figures)) {
      const raised = readRaised(symbol, image)
      doubtful ||= raised === null
      text += raised === null ? symbol.text : superscriptText(raised)
      continue
    }
    if (before && /\d$/.test(text) && /^\d/.test(symbol.text)) {
      const point =
        pointBetween(before, symbol, figures) || pointBetween(darkOf.get(before.bbox), darkOf.get(symbol.bbox), figures)
      doubtful ||= point === '' && gapBetween(before, symbol) > WIDEST_GAP * figures.height
      text += point
    }
    text += symbol.text
  }
  return { ...word, text, confidence: doubtful ? Math.min(DOUBTFUL, word.confidence) : word.confidence }
}

function figuresOf(symbols: readonly InkedSymbol[]): Figures | null {
  const tall = symbols.flatMap(({ text, main }) => (/^[0-9A-Zbdhkl]$/.test(text) && main ? [main] : []))
  const small = symbols.flatMap(({ text, main }) => (/^[acemnorsuvwxz]$/.test(text) && main ? [main] : []))
  const height = tall.length > 0 ? median(tall.map(heightOf)) : X_TO_FIGURES * median(small.map(heightOf))
  if (!height) return null
  const standing = [...tall.filter((blob) => heightOf(blob) > FULL_HEIGHT * height), ...small]
  return { height, baseline: median(standing.map(({ y1 }) => y1)) }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** Tesseract now and then reads one letter as two: then one of them has no ink of its own. */
function isEcho(
  { text, main, bbox }: InkedSymbol,
  before: InkedSymbol | undefined,
  after: InkedSymbol | undefined,
  { height }: Figures,
): boolean {
  if (main || !/[\p{L}\p{N}%]/u.test(text)) return false
  return [before?.main, after?.main].some((blob) => {
    if (!blob || widthOf(blob) > WIDEST_LETTER * height) return false
    return Math.min(blob.x1, bbox.x1) - Math.max(blob.x0, bbox.x0) > 0.5 * Math.max(widthOf(blob), widthOf(bbox))
  })
}

/** The point or comma that stands between two figures, if any. */
function pointBetween(
  left: InkedSymbol | undefined,
  right: InkedSymbol | undefined,
  { height, baseline }: Figures,
): '.' | ',' | '' {
  if (!left?.main || !right?.main) return ''
  const [from, to] = [left.main.x1, right.main.x0]
  const between = [...left.others, ...right.others].filter(({ x0, x1 }) => x0 > from && x1 < to)
  const [mark] = between
  if (!mark || between.length > 1 || !isPoint(mark, height)) return ''
  if (Math.abs(mark.y0 - baseline) > LARGEST_POINT * height) return ''
  if (mark.y1 - baseline > COMMA_TAIL * height) return ','
  return Math.abs(mark.y1 - baseline) <= OFF_BASELINE * height ? '.' : ''
}

const isPoint = (blob: InkBlob, height: number): boolean =>
  widthOf(blob) <= LARGEST_POINT * height && widthOf(blob) >= SMALLEST_POINT * height

const gapBetween = (left: InkedSymbol, right: InkedSymbol): number =>
  left.main && right.main ? right.main.x0 - left.main.x1 : 0
