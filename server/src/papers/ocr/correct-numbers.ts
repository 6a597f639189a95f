import type { PixelBox } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { superscriptText } from '../text/superscripts.ts'
import type { InkBlob } from './ink-blobs.ts'

/** Whole letters, and their dark parts, which touch each other less. */
interface PageInk {
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
/** Figures this far apart had a point between them, which a dotted line may have taken away. */
const WIDEST_GAP = 0.42
/** Height of figures over that of small letters, grey edges included. */
const X_TO_FIGURES = 1.25
const DOUBTFUL = 40
const HAS_WORD = /\p{L}{3}/u
const HAS_FIGURES = /\d|[\p{L})][?*%!"™®ª]+$/u

/** Restores decimal points and raised exponents, which Tesseract drops. */
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

/** Tesseract sometimes reads one letter as two, one of them without ink. */
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

/** Of a figure's height: the foot and middle of a raised one above the line, and its own height. */
const FOOT = 0.28
const MIDDLE = 0.55
const SMALL = 0.85
const SPECK = 0.1
/** Quotation marks, degrees and stars are raised themselves. */
const MAY_BE_FIGURE = /^[\d?%!™®ª]$/

function isRaised({ text, main, others, bbox }: InkedSymbol, { height, baseline }: Figures): boolean {
  if (!main || !MAY_BE_FIGURE.test(text) || baseline - bbox.y1 < 0.8 * FOOT * height) return false
  return [main, ...others].every(
    (blob) =>
      Math.max(heightOf(blob), widthOf(blob)) < SPECK * height ||
      (baseline - blob.y1 > FOOT * height &&
        baseline - middle(blob.y0, blob.y1) > MIDDLE * height &&
        heightOf(blob) < SMALL * height),
  )
}

/** Of its width, a minus is less high; of its height, a one is narrower, and two figures in one blob wider. */
const FLAT = 0.5
const NARROW = 0.5
const WIDEST = 0.9
/** Where the ink of the lower half lies from left to right: left in a two, right in a three. */
const TWO = 0.56
const THREE = 0.61

function readRaised({ text, main, others }: InkedSymbol, image: PageImage): string | null {
  const blobs = [...(main ? [main] : []), ...others].toSorted((a, b) => a.x0 - b.x0)
  const figures = blobs.filter((blob) => !isMinus(blob))
  const [only] = figures
  if (!only) return blobs.length === 1 ? '-' : null
  if (figures.length > 1 || widthOf(only) > WIDEST * heightOf(only)) return null
  const minus = blobs.length > 1 && blobs[0] !== only ? '-' : ''
  if (/^\d$/.test(text) && text !== '2' && text !== '3') return minus + text
  if (widthOf(only) < NARROW * heightOf(only)) return `${minus}1`
  const share = lowerInk(only, image)
  if (share < (text === '2' ? THREE : TWO)) return `${minus}2`
  return share > (text === '3' ? TWO : THREE) ? `${minus}3` : null
}

const isMinus = (blob: InkBlob): boolean => heightOf(blob) < FLAT * widthOf(blob)

function lowerInk({ x0, x1, y0, y1 }: InkBlob, { data, width }: PageImage): number {
  let [ink, moment] = [0, 0]
  for (let y = Math.round(y0 + 0.55 * (y1 - y0)); y <= y0 + 0.8 * (y1 - y0); y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const dark = 255 - (data[y * width + x] ?? 255)
      ink += dark
      moment += dark * (x - x0)
    }
  return ink === 0 ? (TWO + THREE) / 2 : moment / ink / Math.max(1, x1 - x0)
}

interface ReadWord {
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

interface InkedSymbol extends ReadSymbol {
  main: InkBlob | undefined
  others: InkBlob[]
}

interface BlobIndex {
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

const middle = (from: number, to: number): number => (from + to) / 2
const heightOf = ({ y0, y1 }: PixelBox): number => y1 - y0 + 1
const widthOf = ({ x0, x1 }: PixelBox): number => x1 - x0 + 1

function inkOf({ symbols, bbox }: ReadWord, blobs: BlobIndex): InkedSymbol[] {
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

interface Figures {
  height: number
  baseline: number
}
