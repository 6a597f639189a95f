import type { Box, Line } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { readAnnotationLines } from '../text/annotation-lines.ts'
import { brightnessOf } from './box-brightness.ts'
import type { PageInspection } from './inspect-page.ts'

/** Of 255: what is written in a field or a note is at least so much darker or lighter than the paper. */
const minContrast = 14

/**
 * Values of form fields and words of notes, hidden where the page shows nothing at their place. Notes behind an icon have no picture and
 * are taken at their word.
 */
export async function readVisibleAnnotationLines(
  page: PDFPageProxy,
  viewport: PageViewport,
  { limits, pdfium }: Pick<PageInspection, 'limits' | 'pdfium'>,
): Promise<Line[]> {
  const answers = await readAnnotationLines(page, viewport)
  if (!answers.some(({ line, drawn }) => drawn && !line.hidden)) return answers.map(({ line }) => line)
  const document = await pdfium()
  const image = await document.render(page.pageNumber, { scale: 1 }, limits, 'Gray')
  // A value of several lines may be drawn in one part of its field: the field is looked at as a whole.
  return answers.map(({ line, drawn }) => {
    if (!drawn || line.hidden) return line
    const own = answers.filter((other) => other.line.box.x === line.box.x && other.line.box.width === line.box.width)
    const seen = own.some(({ line: { box } }) => {
      const { least, most } = brightnessOf(withoutBorder(box), image, viewport)
      return most - least >= minContrast
    })
    return seen ? line : { ...line, hidden: 'covered' as const }
  })
}

/** Without the field's own border. */
const withoutBorder = ({ x, y, width, height }: Box): Box => ({
  x: x + Math.min(2, width / 8),
  y: y + Math.min(2, height / 8),
  width: width - 2 * Math.min(2, width / 8),
  height: height - 2 * Math.min(2, height / 8),
})
