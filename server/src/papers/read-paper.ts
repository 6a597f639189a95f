import type { Line, Page, Paper } from '@assay/shared/papers.ts'
import type { PDFPageProxy } from 'pdfjs-dist'
import { rounded } from './boxes.ts'
import { insertAnswers } from './insert-answers.ts'
import { type CloserReading, lookCloser } from './look-closer.ts'
import { createOcr } from './ocr.ts'
import { toLines } from './page-lines.ts'
import { PaperError } from './paper-error.ts'
import type { PaperLimits } from './paper-limits.ts'
import { openPdfium, type PdfiumDocument } from './pdfium.ts'
import { withDocument } from './pdfjs-document.ts'
import { type QuarterTurns, turnBoxOn } from './quarter-turns.ts'
import type { Progress } from './run-task.ts'
import { seenAnswers } from './seen-answers.ts'
import { scanStreams } from './stream-scan.ts'
import { toRuns } from './text-run.ts'
import { withoutUnseenLetters } from './unseen-letters.ts'

/** What one paper is read with. */
interface Reading extends CloserReading {
  /** Fonts whose letters were looked at already, by pdf.js's names for them. */
  known: Set<string>
}

/** Reads a whole PDF in this process. Throws PaperError. */
export function readPaper(file: string, limits: PaperLimits, progress: Progress): Promise<Paper> {
  return withDocument(file, limits, async ({ pdf, bytes }) => {
    const ocr = createOcr(progress.step)
    let opening: Promise<PdfiumDocument> | undefined
    const reading: Reading = {
      scan: scanStreams(bytes),
      ocr,
      limits,
      progress,
      known: new Set(),
      pdfium() {
        opening ??= openPdfium(bytes)
        return opening
      },
    }
    try {
      const pages: Page[] = []
      let [lines, letters] = [0, 0]
      for (let number = 1; number <= pdf.numPages; number += 1) {
        const page = await pdf.getPage(number)
        const read = await readPage(page, reading)
        lines += read.lines.length
        letters += read.lines.reduce((sum, { text }) => sum + text.length, 0)
        if (lines > limits.lines || letters > limits.letters) throw new PaperError('too_much_text')
        pages.push(read)
        page.cleanup()
        progress.page(number, pdf.numPages)
      }
      return { pages }
    } finally {
      await ocr.close()
      const document = await opening?.catch(() => undefined)
      document?.close()
    }
  })
}

async function readPage(page: PDFPageProxy, reading: Reading): Promise<Page> {
  const viewport = page.getViewport({ scale: 1 })
  const { width, height } = viewport
  const content = await page.getTextContent()
  let lines = toLines(toRuns(content, viewport), viewport)
  const { scan, known } = reading
  let turns: QuarterTurns = 0
  const fonts = scan.maps ? Object.keys(content.styles).filter((name) => !known.has(name)) : []
  for (const name of fonts) known.add(name)
  const suspect = scan.oddText || scan.coverings || scan.hiders || scan.pictures || scan.oddMaps
  if (suspect || fonts.length > 0 || lines.length === 0)
    ({ lines, turns } = await lookCloser(page.pageNumber, viewport, lines, reading))
  if (scan.annotations) lines = insertAnswers(lines, await seenAnswers(page, viewport, reading))
  const shown = turns % 2 ? { width: height, height: width } : { width, height }
  const boxOf = ({ box }: Line) => rounded(turnBoxOn(box, turns, { width, height }))
  return {
    number: page.pageNumber,
    ...shown,
    lines: lines.flatMap(withoutUnseenLetters).map((line) => ({ ...line, box: boxOf(line) })),
    ...(turns === 0 ? {} : { turned: degrees[turns] }),
  }
}

const degrees = { 1: 90, 2: 180, 3: 270 } as const
