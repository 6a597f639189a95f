import { readFile } from 'node:fs/promises'
import type { Box, TurnedPage } from '@assay/shared/papers.ts'
import { concatTransformationMatrix, PDFDocument, type PDFPage, popGraphicsState, pushGraphicsState } from 'pdf-lib'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { toJpeg } from '../pdf/page-image.ts'
import { type PdfiumDocument, withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { drawCover } from './draw-cover.ts'
import { type Formulas, FormulaWriter } from './draw-math.ts'
import { drawPenMarks } from './draw-pen-marks.ts'
import { colours, drawLine, verdictColours } from './draw-text.ts'
import { mapInk } from './ink-map.ts'
import { embedFonts, type MarkupFonts } from './markup-fonts.ts'
import { annotationBoxes, framePage, type PageFrame } from './page-frame.ts'
import type { PaperMarkup } from './paper-markup.ts'
import { COMMENT_SIZE, LINE_HEIGHT, MARK_SIZE, markText, type PlacedNote, placeNotes } from './place-notes.ts'

const A4 = { width: 595.28, height: 841.89 }

/** Pages become pictures where the file forbids changing. @throws {PaperError} where it cannot be opened */
export async function markUpPaper(
  file: string,
  given: PaperMarkup,
  limits: PaperLimits,
  progress: Progress,
): Promise<Buffer> {
  const bytes = await readFile(file)
  const { markup, formulas } = await withFormulas(given)
  return withPdfium(bytes, async (original) => {
    const copy =
      (await copyAsIs(bytes, original, markup.turned)) ??
      (await copyAsPictures(original, markup.turned, limits, progress))
    const { document, frames } = copy
    const fonts = await embedFonts(document, textsOf(given), formulas)
    // Notes are placed beside annotations.
    drawPenMarks(document, frames, markup.pen, fonts)
    const notes = await placeAll(original, copy, markup, limits, fonts, progress)
    const numbers = numberHidden(markup, notes)
    for (const [i, page] of document.getPages().entries()) {
      const frame = frames[i]
      const placed = notes.get(i + 1) ?? []
      if (frame && placed.length > 0) drawNotes(page, frame, placed, numbers, scaleOf(frame), fonts)
    }
    drawCover(document, markup.cover, numbers, fonts, coverSize(frames[0]))
    describe(document, markup.title)
    progress.step()
    return Buffer.from(await document.save({ updateFieldAppearances: false }))
  })
}

export async function drawCoverOnly(given: PaperMarkup): Promise<Buffer> {
  const { markup, formulas } = await withFormulas(given)
  const document = await PDFDocument.create()
  const fonts = await embedFonts(document, textsOf(given), formulas)
  drawCover(document, markup.cover, new Map(), fonts, A4)
  describe(document, markup.title)
  return Buffer.from(await document.save())
}

async function withFormulas(markup: PaperMarkup): Promise<{ markup: PaperMarkup; formulas: Formulas }> {
  const writer = new FormulaWriter()
  const cover: PaperMarkup['cover'] = []
  for (const block of markup.cover) {
    if (block.kind === 'entry') {
      const title = await writer.write(block.title, true)
      cover.push({ ...block, title, feedback: await writer.write(block.feedback, true) })
    } else if (block.kind === 'paragraph') cover.push({ ...block, text: await writer.write(block.text, true) })
    else cover.push(block)
  }
  const notes: PaperMarkup['notes'] = []
  for (const note of markup.notes) notes.push({ ...note, comment: await writer.write(note.comment, false) })
  const pen: PaperMarkup['pen'] = []
  for (const mark of markup.pen)
    pen.push('text' in mark ? { ...mark, words: await writer.write(mark.text, false) } : mark)
  return { markup: { ...markup, cover, notes, pen }, formulas: writer.formulas }
}

interface Copy {
  document: PDFDocument
  frames: PageFrame[]
}

/** Null where pdf-lib cannot open the file or reads its pages differently from a viewer. */
async function copyAsIs(bytes: Buffer, original: PdfiumDocument, turned: readonly TurnedPage[]): Promise<Copy | null> {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    const pages = document.getPages()
    if (pages.length !== original.pages) return null
    return { document, frames: pages.map((page, i) => framePage(page, turnOf(turned, i + 1))) }
  } catch {
    return null
  }
}

const turnOf = (turned: readonly TurnedPage[], page: number) => turned.find((one) => one.page === page)?.turned ?? 0
/** Pixels a point: 150 dpi. */
const PICTURE_SCALE = 150 / 72

async function copyAsPictures(
  original: PdfiumDocument,
  turned: readonly TurnedPage[],
  limits: PaperLimits,
  progress: Progress,
): Promise<Copy> {
  const document = await PDFDocument.create()
  const frames: PageFrame[] = []
  for (let number = 1; number <= original.pages; number += 1) {
    const picture = await original.render(number, { scale: PICTURE_SCALE }, limits, 'BGRA')
    const { width, height } = original.size(number)
    const page: PDFPage = document.addPage([width, height])
    page.drawImage(await document.embedJpg(await toJpeg(picture, 82)), { x: 0, y: 0, width, height })
    frames.push(framePage(page, turnOf(turned, number)))
    progress.page(number, original.pages)
  }
  return { document, frames }
}

async function placeAll(
  original: PdfiumDocument,
  { document, frames }: Copy,
  { notes, turned }: PaperMarkup,
  limits: PaperLimits,
  fonts: MarkupFonts,
  progress: Progress,
): Promise<Map<number, PlacedNote[]>> {
  const placed = new Map<number, PlacedNote[]>()
  for (const [number, own] of Map.groupBy(notes, ({ page }) => page)) {
    const [frame, page] = [frames[number - 1], document.getPages()[number - 1]]
    if (!frame || !page) continue
    const image = await original.render(number, { scale: 1 / scaleOf(frame) }, limits, 'Gray')
    const ink = await mapInk(image, (turnOf(turned, number) / 90) as QuarterTurns, frame)
    for (const box of annotationBoxes(page, frame)) ink.occupy(box)
    placed.set(number, placeNotes(own, { ...frame, ink, scale: scaleOf(frame) }, fonts))
    progress.step()
  }
  return placed
}

/** A scan's page may be several times as large as A4. */
const scaleOf = ({ width, height }: PageFrame) => Math.max(0.6, Math.min(width, height) / A4.width)

/** Comments without room on their page, numbered in the cover's order. */
function numberHidden({ cover }: PaperMarkup, notes: ReadonlyMap<number, PlacedNote[]>): Map<string, number> {
  const hidden = new Set(
    [...notes.values()].flat().flatMap(({ note, comment }) => (note.comment !== '' && !comment ? [note.key] : [])),
  )
  const keys = cover.flatMap((block) => (block.kind === 'entry' && hidden.has(block.key) ? [block.key] : []))
  return new Map(keys.map((key, i) => [key, i + 1]))
}

function coverSize(first: PageFrame | undefined): { width: number; height: number } {
  if (!first) return A4
  const [width, height] = [Math.min(first.width, first.height), Math.max(first.width, first.height)]
  return width > 560 && width < 660 && height > 750 && height < 860 ? { width, height } : A4
}

function textsOf({ cover, notes, pen }: PaperMarkup): string[] {
  const ofBlock = (block: PaperMarkup['cover'][number]): string[] =>
    Object.values(block).flatMap((value: string | (string | { label: string; value: string })[]) => {
      if (typeof value === 'string') return [value]
      return value.flatMap((one) => (typeof one === 'string' ? [one] : [one.label, one.value]))
    })
  return [
    ...cover.flatMap(ofBlock),
    ...notes.flatMap(({ points, part, comment }) => [points, part, comment]),
    ...pen.flatMap((mark) => ('text' in mark ? [mark.text] : [])),
  ]
}

function describe(document: PDFDocument, title: string): void {
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setProducer('Assay')
}

/** `numbers`: of comments on the cover, by note key; `scale`: 1 on A4. */
function drawNotes(
  page: PDFPage,
  { height, matrix }: PageFrame,
  placed: readonly PlacedNote[],
  numbers: ReadonlyMap<string, number>,
  scale: number,
  fonts: MarkupFonts,
): void {
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix))
  for (const { note, mark, comment, covers } of placed) {
    if (covers) drawBacking(page, mark, height)
    if (comment?.ruled) drawBacking(page, comment.box, height)
    const colour = verdictColours[note.verdict]
    const [size, baseline] = [MARK_SIZE * scale, height - mark.y - 8.5 * scale]
    const end = drawLine(page, markText(note), mark.x + 2 * scale, baseline, { size, weight: 'bold', colour }, fonts)
    const number = numbers.get(note.key)
    if (number !== undefined)
      drawLine(page, `[${number}]`, end + 2 * scale, baseline + scale, { size: 6.5 * scale, colour }, fonts)
    for (const [i, line] of (comment?.lines ?? []).entries()) {
      const y = height - (comment?.box.y ?? 0) - (i * LINE_HEIGHT + 7.5) * scale
      const style = { size: COMMENT_SIZE * scale, colour: colours.comment }
      drawLine(page, line, (comment?.box.x ?? 0) + scale, y, style, fonts)
    }
  }
  page.pushOperators(popGraphicsState())
}

function drawBacking(page: PDFPage, { x, y, width, height }: Box, pageHeight: number): void {
  page.drawRectangle({ x, y: pageHeight - y - height, width, height, color: colours.paper, opacity: 0.8 })
}
