import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InkMark, Line, Shape } from '@assay/shared/papers.ts'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { roundBox } from '../geometry/boxes.ts'
import { boundingBox } from '../geometry/matrix.ts'
import { type QuarterTurns, rotateImage, unrotateBox } from '../geometry/quarter-turns.ts'
import { PaperError } from '../paper-error.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { clearPrintedRules } from './clear-printed-rules.ts'
import { correctNumbers } from './correct-numbers.ts'
import { correctFlatField } from './flat-field-correction.ts'
import { inkMarks } from './ink-marks.ts'
import { deskew, isBlankPage, toPng } from './ocr-image.ts'
import { type OcrWord, type PixelBox, toOcrLines, weightedMean, wordsOfRow } from './ocr-lines.ts'
import { type LineDirection, lineDirection } from './skew-detection.ts'
import { indexBlobs } from './symbol-ink.ts'

/**
 * Reads page images. With the model for whole lines alone (`LSTM_ONLY`) Tesseract learns nothing from what it reads, so that one instance may
 * read several hands (`read-tops.slow.test.ts`).
 */
export interface Ocr {
  /**
   * The lines of a page image (grey, about 200 dpi) and the ink beside them, with boxes in points of the page as shown, and the clockwise
   * quarter turns that made it upright.
   */
  read(image: PageImage, page: { width: number; height: number }): Promise<OcrPage>
  close(): Promise<void>
}

export interface OcrPage {
  lines: Line[]
  ink: InkMark[]
  /** Lines to write on and those of tables, which were taken out to read what stands on them. */
  shapes: Shape[]
  turns: QuarterTurns
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
      if (isBlankPage(even)) return { lines: [], ink: [], shapes: [], turns: 0 }
      starting ??= startWorker()
      const worker = await starting
      const direction = lineDirection(even)
      let best: OcrPage & { confidence: number } = { lines: [], ink: [], shapes: [], turns: 0, confidence: -1 }
      for (const turns of turnsToTry[direction]) {
        onStep()
        const { lines, ink, shapes } = await recognise(
          worker,
          await rotateImage(even, turns),
          turns % 2 ? { width: page.height, height: page.width } : page,
        )
        const confidence = weightedMean(lines.map((line) => [line.text.length, line.confidence]))
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
        if (best.confidence >= (direction === 'across' ? upright : surelyUpright)) break
      }
      return best
    },
    async close() {
      const worker = await starting?.catch(() => undefined)
      await worker?.terminate()
    },
  }
}

/** In the order they are tried, until a page is read so well that it must be upright. */
const turnsToTry: Record<LineDirection, readonly QuarterTurns[]> = {
  across: [0, 2],
  down: [1, 3, 0],
  unclear: [0, 2, 1, 3],
}
/** Handwriting is read with a confidence of at least 0.45; below that a page may be upside down. */
const upright = 0.35
const surelyUpright = 0.6

async function recognise(
  worker: Worker,
  page: PageImage,
  size: { width: number; height: number },
): Promise<Omit<OcrPage, 'turns'>> {
  const { image, toPagePoint } = await deskew(page)
  const { rules, blobs, letters } = clearPrintedRules(image)
  const { data } = await worker.recognize(await toPng(image), {}, { text: false, blocks: true })
  const rows = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
  const numbers = { image, letters: indexBlobs(letters), dark: indexBlobs(blobs) }
  const words: OcrWord[] = rows.flatMap((row) => wordsOfRow({ words: correctNumbers(row.words, numbers) }, rules))
  const scale = { x: size.width / page.width, y: size.height / page.height }
  const whole = ({ x0, y0, x1, y1 }: PixelBox) => {
    const corners = [toPagePoint(x0, y0), toPagePoint(x1, y0), toPagePoint(x0, y1), toPagePoint(x1, y1)]
    return boundingBox(corners.map(([x, y]) => [x * scale.x, y * scale.y]))
  }
  // Of a page turned by some degrees a box around a word would reach into the lines above and below.
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
