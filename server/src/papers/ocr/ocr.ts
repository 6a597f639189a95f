import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Line } from '@assay/shared/papers.ts'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { type QuarterTurns, rotateImage, unrotateBox } from '../geometry/quarter-turns.ts'
import { PaperError } from '../paper-error.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { correctFlatField } from './flat-field-correction.ts'
import { deskew, isBlankPage } from './ocr-image.ts'
import { isSideways } from './skew-detection.ts'

/** Reads page images. One instance per paper: Tesseract adapts to a handwriting, which must not affect the next paper. */
export interface Ocr {
  /**
   * The lines of a page image (grey, about 200 dpi) with boxes in points of the page as shown, and the clockwise quarter turns that made
   * it upright.
   */
  read(image: PageImage, page: { width: number; height: number }): Promise<{ lines: Line[]; turns: QuarterTurns }>
  close(): Promise<void>
}

const startTimeoutSeconds = 25
const languageFolder = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
)

/** Starts Tesseract when the first page needs it. Calls `onStep` before each long operation. */
export function createOcr(onStep: () => void): Ocr {
  let starting: Promise<Worker> | undefined
  return {
    async read(image, page) {
      const even = { ...image, data: await correctFlatField(image) }
      if (isBlankPage(even)) return { lines: [], turns: 0 }
      starting ??= startWorker()
      const worker = await starting
      const onSide = isSideways(even)
      let best: { lines: Line[]; turns: QuarterTurns; confidence: number } = {
        lines: [],
        turns: 0,
        confidence: -1,
      }
      for (const turns of onSide ? sidewaysTurns : uprightTurns) {
        onStep()
        const lines = await recognise(
          worker,
          await rotateImage(even, turns),
          turns % 2 ? { width: page.height, height: page.width } : page,
        )
        const confidence = weightedMean(lines.map((line) => [line.text.length, line.confidence]))
        if (confidence > best.confidence)
          best = {
            lines: lines.map((line) => ({ ...line, box: unrotateBox(line.box, turns, page) })),
            turns,
            confidence,
          }
        if (best.confidence >= (onSide ? 0.6 : 0.35)) break
      }
      return best
    },
    async close() {
      const worker = await starting?.catch(() => undefined)
      await worker?.terminate()
    },
  }
}

/** Handwriting is read with a confidence of at least 0.45; below that a page may be upside down. */
const uprightTurns: readonly QuarterTurns[] = [0, 2]
const sidewaysTurns: readonly QuarterTurns[] = [1, 3, 0]

async function recognise(worker: Worker, image: PageImage, page: { width: number; height: number }): Promise<Line[]> {
  const { png, toPagePoint } = await deskew(image)
  const { data } = await worker.recognize(png, {}, { text: false, blocks: true })
  const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
  const scale = { x: page.width / image.width, y: page.height / image.height }
  return lines.flatMap(({ words }) => {
    const read = words.filter((word) => !/^[_\-–—=|~.·]{2,}$|^[_|~—]$/.test(word.text))
    const text = cleanLineText(read.map((word) => word.text).join(' '))
    // Ruled lines and edges of paper are read as dashes and bars.
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    const box = boundingBoxOnPage(
      read.map((word) => word.bbox),
      toPagePoint,
      scale,
    )
    const confidence = weightedMean(read.map((word) => [word.text.length, word.confidence / 100]))
    return [{ text, box, source: 'ocr' as const, confidence: Math.round(confidence * 100) / 100 }]
  })
}

/** In bold print OCR joins the number of a question with its first word. */
function cleanLineText(text: string): string {
  return text.trim().replace(/^(\d{1,2}[.)])(?=\p{L})/u, '$1 ')
}

interface PixelBox {
  x0: number
  y0: number
  x1: number
  y1: number
}

function boundingBoxOnPage(
  boxes: readonly PixelBox[],
  back: (x: number, y: number) => [number, number],
  scale: { x: number; y: number },
) {
  const corners = boxes.flatMap(({ x0, y0, x1, y1 }) => [back(x0, y0), back(x1, y0), back(x0, y1), back(x1, y1)])
  const xs = corners.map(([x]) => x * scale.x)
  const ys = corners.map(([, y]) => y * scale.y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Weighted mean of `[weight, value]` pairs. */
function weightedMean(pairs: readonly (readonly [number, number])[]): number {
  const weight = pairs.reduce((sum, [one]) => sum + one, 0)
  return pairs.reduce((sum, [one, value]) => sum + one * value, 0) / Math.max(1, weight)
}

async function startWorker(): Promise<Worker> {
  let problem: unknown
  const starting = createWorker('eng', OEM.LSTM_ONLY, {
    // All files are local: without these options it would load them from a CDN and write into the working directory.
    langPath: languageFolder,
    cacheMethod: 'none',
    gzip: true,
    errorHandler: (error: unknown) => {
      problem = error
    },
  })
  // With a language file missing `createWorker` never settles.
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new PaperError('too_long', undefined, { cause: problem })),
      startTimeoutSeconds * 1000,
    )
  })
  try {
    const worker = await Promise.race([starting, tooLong])
    await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK, user_defined_dpi: '200' })
    return worker
  } finally {
    clearTimeout(timer)
  }
}
