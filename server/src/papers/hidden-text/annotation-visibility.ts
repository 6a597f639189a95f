import type { Box, Line } from '@assay/shared/papers.ts'
import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { readAnnotationLines } from '../text/annotation-lines.ts'
import { brightnessOf } from './box-brightness.ts'
import type { PageInspection } from './inspect-page.ts'

/** Of 255: the least contrast between text in a field or note and the paper. */
const minContrast = 14

/**
 * Values of form fields and texts of notes, marked hidden where the page shows nothing in their box. Notes behind an icon have no
 * appearance, so they are accepted unchecked.
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
  // A value of several lines may be drawn in one part of its field, so the whole field is compared.
  return answers.map(({ line, drawn }) => {
    if (!drawn || line.hidden) return line
    const own = answers.filter((other) => other.line.box.x === line.box.x && other.line.box.width === line.box.width)
    const visible = own.some(({ line: { box } }) => {
      const { least, most } = brightnessOf(withoutBorder(box), image, viewport)
      return most - least >= minContrast
    })
    return visible ? line : { ...line, hidden: 'covered' as const }
  })
}

/** Without the field's own border. */
const withoutBorder = ({ x, y, width, height }: Box): Box => ({
  x: x + Math.min(2, width / 8),
  y: y + Math.min(2, height / 8),
  width: width - 2 * Math.min(2, width / 8),
  height: height - 2 * Math.min(2, height / 8),
})
