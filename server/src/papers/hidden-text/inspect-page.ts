import type { Box, Line } from '@assay/shared/papers.ts'
import type { PageViewport } from 'pdfjs-dist'
import { overlapX, overlapY } from '../geometry/boxes.ts'
import { toPageBox } from '../geometry/matrix.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { Ocr } from '../ocr/ocr.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { PdfiumDocument } from '../pdf/pdfium-document.ts'
import type { DrawnPage } from '../pdf/pdfium-page.ts'
import type { StreamScan } from '../pdf/stream-scan.ts'
import type { Progress } from '../reading/run-task.ts'
import { insertLines } from '../text/insert-lines.ts'
import { brightnessOf } from './box-brightness.ts'
import { compareWithOcr } from './compare-with-ocr.ts'
import { findMismatchedGlyphs } from './glyph-shapes.ts'
import { markHiddenLines, type StyledText } from './mark-hidden-lines.ts'

/** What a paper is read with. */
export interface PageInspection {
  scan: StreamScan
  ocr: Ocr
  limits: PaperLimits
  progress: Progress
  /** The paper as pdfium sees it, opened by the first page that needs it; most papers never do. */
  pdfium(): Promise<PdfiumDocument>
}

/** A picture as large as this share of the page is worth reading. */
const minImageShare = 0.08
/** A picture as large as this is a scan, and invisible text over it a reading by somebody else's OCR. */
const minScanShare = 0.6

/** Of 255: between the paper and the darkest spot of a place where something is written, noise of a scan apart. */
const minWritingContrast = 60

/**
 * Reads a page the slow way: how its text is drawn, what of it is seen, and what stands in its pictures. `turns` says how a page that
 * is nothing but a scan would have to be turned, clockwise, to be upright.
 */
export async function inspectPage(
  number: number,
  viewport: PageViewport,
  lines: Line[],
  { scan, limits, progress, ocr, pdfium }: PageInspection,
): Promise<{ lines: Line[]; turns: QuarterTurns }> {
  const page = { width: viewport.width, height: viewport.height }
  progress.step()
  const document = await pdfium()
  const drawn = document.readDrawnPage(number)
  const pictures = drawn.images.map((rect) => clipToPage(toPageBox(rect, viewport), page))
  const odd = scan.toUnicodeMaps ? findMismatchedGlyphs(drawn.texts) : []
  const doubted = (scan.suspectToUnicodeMaps ? drawn.texts : odd).map(({ rect }) => toPageBox(rect, viewport))
  let seen = lines
  // Drawing the page costs most, and most pages of a suspect paper have nothing odd on them.
  if (lines.length > 0 && (scan.hidingFeatures || drawn.areas || doubted.length > 0 || drawn.texts.some(mayBeHidden))) {
    const ink = document.renderTextInk(number, 1, limits)
    seen = markHiddenLines(lines, toStyledTexts(drawn, viewport), ink, page)
    // Another's OCR is not to be believed: it need not say what the picture shows, which is read instead. Where the picture shows
    // nothing, those words were put there for somebody else.
    if (pictures.some((box) => areaShare(box, page) > minScanShare))
      seen = seen.filter((line) => {
        if (line.hidden !== 'invisible' && line.hidden !== 'covered') return true
        const { least, middle } = brightnessOf(line.box, ink.withText, page)
        return middle - least < minWritingContrast
      })
  }
  const unread = pictures.filter((box) => areaShare(box, page) > minImageShare && !hasTextOver(box, seen))
  const whole = !seen.some((line) => !line.hidden)
  if (!whole && unread.length === 0 && doubted.length === 0) return { lines: seen, turns: 0 }
  progress.step()
  const image = await document.render(number, { scale: ocrScale(page) }, limits, 'Gray')
  const { lines: read, turns } = await ocr.read(image, page)
  if (whole) return { lines: [...read, ...seen], turns }
  // Beside typed text only the pictures are read, and there a photograph of a leaf must not become words.
  const written = read.filter((line) => line.confidence >= 0.45 && unread.some((box) => isInside(line.box, box)))
  return { lines: insertLines(compareWithOcr(seen, doubted, read), written), turns: 0 }
}

const mayBeHidden = ({ invisible, brightness }: DrawnPage['texts'][number]): boolean =>
  invisible || brightness === null || brightness > 0.85

function toStyledTexts({ texts }: DrawnPage, viewport: PageViewport): StyledText[] {
  return texts.map(({ letters, invisible, brightness }) => ({
    letters: letters.map(({ letter, rect }) => ({ letter, box: toPageBox(rect, viewport) })),
    invisible,
    brightness,
  }))
}

/** 200 dpi, which is what Tesseract reads best; less for pages larger than A4's pixels one and a half times. */
function ocrScale({ width, height }: { width: number; height: number }): number {
  return Math.min(200 / 72, Math.sqrt(6e6 / (width * height)))
}

function areaShare(box: Box, page: { width: number; height: number }): number {
  return (box.width * box.height) / (page.width * page.height)
}

function clipToPage(box: Box, page: { width: number; height: number }): Box {
  const whole = { x: 0, y: 0, ...page }
  return {
    x: Math.max(0, box.x),
    y: Math.max(0, box.y),
    width: overlapX(box, whole),
    height: overlapY(box, whole),
  }
}

function isInside(line: Box, box: Box): boolean {
  return overlapX(line, box) * overlapY(line, box) > 0.6 * line.width * line.height
}

/** True when typed text lies over a picture: then it is the paper's background, not its contents. */
function hasTextOver(box: Box, lines: readonly Line[]): boolean {
  const area = lines.reduce(
    (sum, line) => sum + (line.hidden ? 0 : overlapX(line.box, box) * overlapY(line.box, box)),
    0,
  )
  return area > 0.05 * box.width * box.height
}
