import type { Box, Page, Paper } from '@assay/shared/papers.ts'
import type { PDFPageProxy } from 'pdfjs-dist'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { roundBox } from '../geometry/boxes.ts'
import { rotateBox } from '../geometry/quarter-turns.ts'
import { readVisibleAnnotationLines } from '../hidden-text/annotation-visibility.ts'
import { inspectPage, type PageInspection } from '../hidden-text/inspect-page.ts'
import { stripInvisibleCharacters } from '../hidden-text/invisible-characters.ts'
import { createOcr } from '../ocr/ocr.ts'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import { withPdfjsDocument } from '../pdf/pdfjs-document.ts'
import { readAnnotationMarks } from '../text/annotation-lines.ts'
import { insertLines } from '../text/insert-lines.ts'
import { toLines } from '../text/page-lines.ts'
import { placeGraphics } from '../text/placed-graphics.ts'
import { toTextRuns } from '../text/text-run.ts'
import type { Progress, ReadingTask } from './reading-messages.ts'

interface ReadingContext extends PageInspection {
  inspectedFonts: Set<string>
}

/** Null where `typedOnly` and a page is a picture. @throws {PaperError} */
export function readPaper(
  { file, skip, typedOnly }: Extract<ReadingTask, { kind: 'read' }>,
  limits: PaperLimits,
  progress: Progress,
): Promise<Paper | null> {
  return withPdfjsDocument(file, limits, ({ pdf, bytes }) =>
    withPdfium(bytes, async (document) => {
      const ocr = createOcr(progress.step)
      const [layer] = await pdf.getOptionalContentConfig()
      const layersOrPatterns = layer !== undefined || patternName.test(bytes.toString('latin1'))
      const reading: ReadingContext = { document, ocr, limits, progress, layersOrPatterns, inspectedFonts: new Set() }
      try {
        const pages: Page[] = []
        progress.page(0, pdf.numPages)
        let [lines, letters] = [0, 0]
        for (let number = 1; number <= pdf.numPages; number += 1) {
          const page = await pdf.getPage(number)
          const content = skip.includes(number) ? null : await page.getTextContent()
          if (content && typedOnly && isWithoutText(content) && document.readGraphics(number).pictures.length > 0)
            return null
          const read = content ? await readPage(page, content, reading) : withoutLines(page)
          lines += read.lines.length
          letters += read.lines.reduce((sum, { text }) => sum + text.length, 0)
          if (lines > limits.lines || letters > limits.characters) throw new PaperError('too_much_text')
          pages.push(read)
          page.cleanup()
          progress.page(number, pdf.numPages)
        }
        return { pages }
      } finally {
        await ocr.close()
      }
    }),
  )
}

/** Dictionaries of patterns stand in the file as they are, but for letters written as codes. */
const patternName = new RegExp(
  [...'PatternType'].map((letter) => `(?:${letter}|#${letter.charCodeAt(0).toString(16)})`).join(''),
  'i',
)

const isWithoutText = ({ items }: TextContent): boolean =>
  !items.some((item) => 'str' in item && item.str.trim() !== '')

function withoutLines(page: PDFPageProxy): Page {
  const { width, height } = page.getViewport({ scale: 1 })
  return { number: page.pageNumber, width, height, lines: [] }
}

async function readPage(page: PDFPageProxy, content: TextContent, reading: ReadingContext): Promise<Page> {
  const viewport = page.getViewport({ scale: 1 })
  const { width, height } = viewport
  const { document, inspectedFonts } = reading
  const painted = document.readGraphics(page.pageNumber)
  const graphics = placeGraphics(painted, viewport)
  const typed = toLines(toTextRuns(content, viewport), viewport, graphics)
  const fonts = Object.keys(content.styles).filter((name) => !inspectedFonts.has(name))
  for (const name of fonts) inspectedFonts.add(name)
  const inspected = await inspectPage(page.pageNumber, viewport, typed, painted, fonts.length > 0, reading)
  const { ink, turns, emptyPicture } = inspected
  let { lines } = inspected
  if (painted.annotations) lines = insertLines(lines, await readVisibleAnnotationLines(page, viewport, reading))
  const shown = turns % 2 ? { width: height, height: width } : { width, height }
  const marks = painted.annotations && turns === 0 ? await readAnnotationMarks(page, viewport) : []
  const boxOf = ({ box }: { box: Box }) => roundBox(rotateBox(box, turns, { width, height }))
  const placed = <T extends { box: Box }>(one: T): T => ({ ...one, box: boxOf(one) })
  const shapes = [
    ...(turns === 0 ? graphics.shapes : []),
    ...inspected.shapes.map(placed),
    ...marks.map(({ kind, box }) => ({ kind, box: roundBox(box) })),
  ]
  const nothingRead = ink.length === 0 && lines.every(({ hidden }) => hidden)
  return {
    number: page.pageNumber,
    ...shown,
    lines: lines
      .flatMap(stripInvisibleCharacters)
      .map((line) => ({ ...placed(line), ...(line.words ? { words: line.words.map(placed) } : {}) })),
    ...(shapes.length > 0 ? { shapes } : {}),
    ...(ink.length > 0 ? { ink: ink.map(placed) } : {}),
    ...(turns === 0 ? {} : { turned: degrees[turns] }),
    ...((nothingRead || emptyPicture) && document.hasDamagedPicture(page.pageNumber) ? { damaged: true as const } : {}),
  }
}

const degrees = { 1: 90, 2: 180, 3: 270 } as const
