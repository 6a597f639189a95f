import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Box, InkMark, Line, Shape } from '@assay/shared/papers.ts'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { type PixelBox, roundBox } from '../geometry/boxes.ts'
import { boundingBox } from '../geometry/matrix.ts'
import { type QuarterTurns, rotateImage, unrotateBox } from '../geometry/quarter-turns.ts'
import { cutOut, type PageImage, sharpOf, toGrey, toPgm } from '../pdf/page-image.ts'
import { clearPrintedRules } from './clear-printed-rules.ts'
import { correctNumbers, indexBlobs } from './correct-numbers.ts'
import { correctFlatField } from './flat-field-correction.ts'
import { DARK, type InkBlob } from './ink-blobs.ts'
import { type OcrWord, toOcrLines, weightedMean, wordsOfRow } from './ocr-lines.ts'
import { inkShare, withoutDarkEdges } from './page-edges.ts'
import { detectSkew, type LineDirection, lineDirection } from './skew-detection.ts'

interface Size {
  width: number
  height: number
}

/** With `LSTM_ONLY` Tesseract does not adapt, so one instance may read several hands (`read-tops.slow.test.ts`). */
export interface Ocr {
  /** A grey image of about 200 dpi; boxes are in points of the page made upright by `turns`. */
  read(image: PageImage, page: Size): Promise<OcrPage>
  readUpright(image: PageImage, part: Size): Promise<Line[]>
  close(): Promise<void>
}

export interface OcrPage {
  lines: Line[]
  ink: InkMark[]
  /** Rules and tables, removed before reading. */
  shapes: Shape[]
  turns: QuarterTurns
}

const languageFolder = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
)

/** Tesseract starts with the first page that needs it. Calls `onStep` before each long operation. */
export function createOcr(onStep: () => void): Ocr {
  let starting: Promise<Worker> | undefined
  return {
    async read(image, page) {
      const even = { ...image, data: await correctFlatField(withoutDarkEdges(image)) }
      if (inkShare(even, 128) < LEAST_INK) return { lines: [], ink: [], shapes: [], turns: 0 }
      starting ??= startWorker()
      const worker = await starting
      const direction = lineDirection(even)
      let best: OcrPage & { confidence: number } = { lines: [], ink: [], shapes: [], turns: 0, confidence: -1 }
      for (const turns of turnsToTry[direction]) {
        onStep()
        const [turned, size] = [
          await rotateImage(even, turns),
          turns % 2 ? { width: page.height, height: page.width } : page,
        ]
        const { lines, ink, shapes } = await recognise(worker, turned, size)
        const confidence = confidenceOf(lines)
        if (confidence > best.confidence)
          best = {
            lines: lines.map((line) => ({
              ...line,
              box: unrotateBox(line.box, turns, page),
              words: (line.words ?? []).map((word) => ({ ...word, box: unrotateBox(word.box, turns, page) })),
            })),
            ink: ink.map((mark) => ({ ...mark, box: unrotateBox(mark.box, turns, page) })),
            shapes: shapes.map((shape) => ({ ...shape, box: unrotateBox(shape.box, turns, page) })),
            turns,
            confidence,
          }
        if (best.confidence >= CLEAN) break
        if (confidence < (direction === 'across' ? LEAST_UPRIGHT : SURELY_UPRIGHT)) continue
        onStep()
        if (turns >= 2 || !(await isUpsideDown(worker, turned, lines, size))) break
      }
      return best
    },
    async readUpright(image, part) {
      const even = { ...image, data: await correctFlatField(image) }
      if (inkShare(even, 128) < LEAST_INK) return []
      onStep()
      starting ??= startWorker()
      return (await recognise(await starting, even, part)).lines
    },
    async close() {
      const worker = await starting?.catch(() => undefined)
      await worker?.terminate()
    },
  }
}

/** In order until a page is read well enough; each is followed by its opposite. */
const turnsToTry: Record<LineDirection, readonly QuarterTurns[]> = {
  across: [0, 2],
  down: [1, 3, 0, 2],
  unclear: [0, 2, 1, 3],
}
/** Confidence: clean print from .9, handwriting .45 to .6, figures upside down up to .75. */
const CLEAN = 0.85
const LEAST_UPRIGHT = 0.3
const SURELY_UPRIGHT = 0.6
/** Of a page's height. */
const BAND = 0.15

const confidenceOf = (lines: readonly Line[]): number =>
  weightedMean(lines.map(({ text, confidence }) => [text.length, confidence]))

async function isUpsideDown(worker: Worker, image: PageImage, lines: readonly Line[], page: Size): Promise<boolean> {
  const bands = lines.map(({ box }) => {
    const top = Math.max(0, Math.min(box.y - 4, (1 - BAND) * page.height))
    const own = lines.filter(({ box: { y, height } }) => y >= top && y + height <= top + BAND * page.height)
    return { top, own, letters: own.reduce((sum, { text }) => sum + text.length, 0) }
  })
  const [most] = bands.sort((a, b) => b.letters - a.letters)
  if (!most) return true
  const height = Math.floor(BAND * image.height)
  const y = Math.floor((most.top / page.height) * image.height)
  const turned = await rotateImage(cutOut(image, { x: 0, y, width: image.width, height }), 2)
  const { lines: other } = await recognise(worker, turned, { width: page.width, height: BAND * page.height })
  return confidenceOf(other) > confidenceOf(most.own)
}

async function recognise(worker: Worker, page: PageImage, size: Size): Promise<Omit<OcrPage, 'turns'>> {
  const { image, toPagePoint } = await deskew(page)
  const { rules, blobs, letters } = clearPrintedRules(image)
  const { data } = await worker.recognize(toPgm(image), {}, { text: false, blocks: true })
  const rows = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
  const numbers = { image, letters: indexBlobs(letters), dark: indexBlobs(blobs) }
  const words: OcrWord[] = rows.flatMap((row) => wordsOfRow({ words: correctNumbers(row.words, numbers) }, rules))
  const scale = { x: size.width / page.width, y: size.height / page.height }
  const whole = ({ x0, y0, x1, y1 }: PixelBox) => {
    const corners = [toPagePoint(x0, y0), toPagePoint(x1, y0), toPagePoint(x0, y1), toPagePoint(x1, y1)]
    return boundingBox(corners.map(([x, y]) => [x * scale.x, y * scale.y]))
  }
  // On a tilted page a box around a word would reach into the lines above and below.
  const own = ({ x0, y0, x1, y1 }: PixelBox) => {
    const [x, y] = toPagePoint((x0 + x1) / 2, (y0 + y1) / 2)
    const [width, height] = [(x1 - x0) * scale.x, (y1 - y0) * scale.y]
    return { x: x * scale.x - width / 2, y: y * scale.y - height / 2, width, height }
  }
  return {
    lines: toOcrLines(
      words.filter(({ struck }) => !struck),
      { width: image.width, height: image.height },
      { line: whole, word: own },
    ),
    ink: inkMarks(blobs, words, image, own),
    shapes: rules.map((rule) => ({ kind: 'rule', box: roundBox(own(rule)) })),
  }
}

async function startWorker(): Promise<Worker> {
  const failed = Promise.withResolvers<never>()
  const starting = createWorker('eng', OEM.LSTM_ONLY, {
    // Without these options files would be loaded from a CDN and written into the working directory.
    langPath: languageFolder,
    cacheMethod: 'none',
    gzip: true,
    // `createWorker` never settles if a language file is missing.
    errorHandler: failed.reject,
  })
  const worker = await Promise.race([starting, failed.promise])
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK, user_defined_dpi: '200' })
  return worker
}

interface OcrImage {
  image: PageImage
  toPagePoint(x: number, y: number): [number, number]
}

/** Share of a page: dust or a staple. */
const LEAST_INK = 0.0004

/** `page` is evenly lit. The returned image may be changed. */
async function deskew(page: PageImage): Promise<OcrImage> {
  const degrees = detectSkew(page)
  if (Math.abs(degrees) < 0.1)
    return { image: { ...page, data: Uint8Array.from(page.data) }, toPagePoint: (x, y) => [x, y] }
  const turned = await toGrey(sharpOf(page).rotate(-degrees, { background: '#ffffff' }))
  const { width, height } = turned
  const ink = Math.abs(degrees) > FAR ? inkArea(turned) : { x: 0, y: 0, width, height }
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return {
    image: ink.width === width && ink.height === height ? turned : cutOut(turned, ink),
    // sharp rotates about the centre and enlarges the image to fit.
    toPagePoint(x, y) {
      const [dx, dy] = [x + ink.x - width / 2, y + ink.y - height / 2]
      return [dx * cos - dy * sin + page.width / 2, dx * sin + dy * cos + page.height / 2]
    },
  }
}

/** Degrees; beyond, a page grows by half, and Tesseract needs a third more memory for empty corners. */
const FAR = 4
/** Pixels; Tesseract reads words at the very edge badly. */
const MARGIN = 24

function inkArea({ data, width, height }: PageImage): Box {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) >= 128) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  if (right < left) return { x: 0, y: 0, width, height }
  const [x, y] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)]
  return { x, y, width: Math.min(width, right + MARGIN) - x, height: Math.min(height, bottom + MARGIN) - y }
}
/** Pixels at 200 dpi. */
const SMALLEST = 7
/** Larger ones are figures or edges of the sheet. */
const LARGEST = 900
const TALLEST_LETTER = 1.15
const UNSURE = 0.8
/** More only in a photo or much handwriting; the largest suffice. */
const MOST_MARKS = 500
/** Points; smaller marks cannot be assigned to rows. */
const LEAST_HEIGHT = 7

/** Ink that is no letter of the words read: rings, ticks, crosses, scribbles. */
function inkMarks(
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
    // OCR reads a ring as part of its letter, and a tick or empty box as a letter.
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
