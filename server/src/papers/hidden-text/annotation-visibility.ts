import type { Box, Line } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import type { AnnotationInk } from '../pdf/pdfium-annotation-ink.ts'
import { type AnnotationLine, readAnnotationLines } from '../text/annotation-lines.ts'
import { brightnessOf, leavesInk } from './box-brightness.ts'
import { compareWithOcr } from './compare-with-ocr.ts'
import { ocrScale, type PageInspection, readRegions } from './inspect-page.ts'

/** Of 255, between text and paper. */
const minContrast = 14

/** Hidden where the page shows nothing or other words; notes behind an icon have no appearance and are accepted. */
export async function readVisibleAnnotationLines(
  page: PDFPageProxy,
  viewport: PageViewport,
  { document, limits, ocr, progress }: PageInspection,
): Promise<Line[]> {
  const answers = await readAnnotationLines(page, viewport)
  const drawn = answers.filter(({ line, drawnBy }) => drawnBy && !line.hidden)
  if (drawn.length === 0) return answers.map(({ line }) => line)
  const keys = drawn.flatMap(({ drawnBy }) => drawnBy ?? [])
  const inks = document.renderAnnotationInk(page.pageNumber, keys, limits)
  const shown = new Set(drawn.filter((one, at) => isShown(one, answers, inks[at], viewport)))
  const doubted = drawn.filter((one, at) => shown.has(one) && inks[at]?.mayHideWords)
  const lines = answers.map((one) =>
    !one.drawnBy || one.line.hidden || shown.has(one) ? one.line : { ...one.line, hidden: 'covered' as const },
  )
  // White words may lie beside black ones that say something else.
  if (doubted.length === 0) return lines
  progress.step()
  const image = await document.render(page.pageNumber, { scale: ocrScale(viewport) }, limits, 'Gray')
  return compareWithOcr(
    lines,
    doubted.map(({ line }) => line.box),
    (boxes) => readRegions(ocr, image, boxes, viewport),
  )
}

/** A value of several lines may be drawn in one part of its field, so the whole field is compared. */
function isShown(
  { drawnBy }: AnnotationLine,
  answers: readonly AnnotationLine[],
  ink: AnnotationInk | undefined,
  viewport: PageViewport,
): boolean {
  if (!ink) return false
  const { withIt, withoutIt } = ink
  return answers
    .filter((other) => other.drawnBy === drawnBy)
    .map(({ line }) => withoutBorder(line.box))
    .some((box) => {
      const { least, most } = brightnessOf(box, withIt, viewport)
      if (most - least < minContrast) return false
      return withoutIt !== null && leavesInk(box, withIt, withoutIt, viewport)
    })
}

const withoutBorder = ({ x, y, width, height }: Box): Box => ({
  x: x + Math.min(2, width / 8),
  y: y + Math.min(2, height / 8),
  width: width - 2 * Math.min(2, width / 8),
  height: height - 2 * Math.min(2, height / 8),
})
