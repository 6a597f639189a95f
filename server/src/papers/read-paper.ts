import type { Box, Line, Page, Paper } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { overlapX, overlapY, rounded } from './boxes.ts'
import { markHidden, type StyledText } from './hidden-text.ts'
import { onPage } from './matrix.ts'
import { createOcr, type Ocr } from './ocr.ts'
import { answersOf, insertAnswers } from './page-answers.ts'
import { toLines } from './page-lines.ts'
import { PaperError } from './paper-error.ts'
import type { PaperLimits } from './paper-limits.ts'
import { openPdfium, type PdfiumDocument } from './pdfium.ts'
import { withDocument } from './pdfjs-document.ts'
import type { Progress } from './run-task.ts'
import { type StreamScan, scanStreams } from './stream-scan.ts'
import { toRuns } from './text-run.ts'

/** What one paper is read with. */
interface Reading {
  scan: StreamScan
  ocr: Ocr
  limits: PaperLimits
  progress: Progress
  /** The paper as pdfium sees it, opened by the first page that needs it; most papers never do. */
  pdfium(): Promise<PdfiumDocument>
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
  let lines = toLines(toRuns(await page.getTextContent(), viewport), viewport)
  const { scan } = reading
  if (scan.oddText || scan.coverings || scan.pictures || lines.length === 0)
    lines = await lookCloser(page.pageNumber, viewport, lines, reading)
  if (scan.annotations) lines = insertAnswers(lines, await answersOf(page, viewport))
  return {
    number: page.pageNumber,
    width,
    height,
    lines: lines.map((line) => ({ ...line, box: rounded(line.box) })),
  }
}

/** A picture as large as this share of the page is worth reading. */
const leastPicture = 0.08
/** A picture as large as this is a scan, and invisible text over it a reading by somebody else's OCR. */
const scanPicture = 0.6

/** Reads a page the slow way: how its text is drawn, and what stands in its pictures. */
async function lookCloser(
  number: number,
  viewport: PageViewport,
  lines: Line[],
  { scan, limits, progress, ocr, pdfium }: Reading,
): Promise<Line[]> {
  const page = { width: viewport.width, height: viewport.height }
  progress.step()
  const document = await pdfium()
  const drawn = document.drawn(number)
  let seen = lines
  const pictures = drawn.pictures.map((rect) => within(onPage(rect, viewport), page))
  // Drawing the page costs most, and most pages of a suspect paper have nothing odd on them.
  if (
    lines.length > 0 &&
    (scan.coverings || drawn.texts.some((text) => text.invisible || text.brightness > 0.85))
  ) {
    const image = await document.render(number, { scale: 1 }, limits, 'Gray')
    const styled: StyledText[] = drawn.texts.map(({ rect, ...text }) => ({
      ...text,
      box: onPage(rect, viewport),
    }))
    seen = markHidden(lines, styled, image, page)
    // Another's OCR is not to be believed: it need not say what the picture shows, which is read instead.
    if (pictures.some((box) => shareOf(box, page) > scanPicture))
      seen = seen.filter((line) => line.hidden !== 'invisible')
  }
  const unread = pictures.filter((box) => shareOf(box, page) > leastPicture && !holdsText(box, seen))
  const whole = !seen.some((line) => !line.hidden)
  if (!whole && unread.length === 0) return seen
  progress.step()
  const image = await document.render(number, { scale: ocrScale(page) }, limits, 'Gray')
  const read = await ocr.read(image, page)
  if (whole) return [...read, ...seen]
  // Beside typed text only the pictures are read, and there a photograph of a leaf must not become words.
  const written = read.filter(
    (line) => line.confidence >= 0.45 && unread.some((box) => inside(line.box, box)),
  )
  return insertAnswers(seen, written)
}

/** 200 dpi, which is what Tesseract reads best; less for pages larger than A4's pixels one and a half times. */
function ocrScale({ width, height }: { width: number; height: number }): number {
  return Math.min(200 / 72, Math.sqrt(6e6 / (width * height)))
}

function shareOf(box: Box, page: { width: number; height: number }): number {
  return (box.width * box.height) / (page.width * page.height)
}

function within(box: Box, page: { width: number; height: number }): Box {
  const whole = { x: 0, y: 0, ...page }
  return {
    x: Math.max(0, box.x),
    y: Math.max(0, box.y),
    width: overlapX(box, whole),
    height: overlapY(box, whole),
  }
}

function inside(line: Box, box: Box): boolean {
  return overlapX(line, box) * overlapY(line, box) > 0.6 * line.width * line.height
}

/** True when typed text lies over a picture: then it is the paper's background, not its contents. */
function holdsText(box: Box, lines: readonly Line[]): boolean {
  const area = lines.reduce(
    (sum, line) => sum + (line.hidden ? 0 : overlapX(line.box, box) * overlapY(line.box, box)),
    0,
  )
  return area > 0.05 * box.width * box.height
}
