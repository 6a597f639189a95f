import { PDFDocument, type PDFPage, rgb } from 'pdf-lib'
import { fitText } from '../codes/draw-page-code.ts'
import { printCopies } from '../codes/print-copies.ts'
import type { PrintOptions } from '../codes/printed-copy.ts'
import { sheetSize } from '../codes/sheet-layout.ts'
import { drawLine } from '../markup/draw-text.ts'
import { embedFonts, type MarkupFonts } from '../markup/markup-fonts.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { Progress } from '../reading/reading-messages.ts'
import type { SheetDesign, SheetPage, SheetsToPrint } from './sheet-design.ts'
import { BUBBLE_RADIUS, LABEL, layOutSheet, sheetFormat } from './sheet-design.ts'

/** @throws {PaperError} */
export async function printAnswerSheets(
  sheets: readonly SheetsToPrint[],
  options: PrintOptions & { title: string },
  limits: PaperLimits,
  progress: Progress,
): Promise<Buffer> {
  const printed: Buffer[] = []
  for (const { design, copies } of sheets) {
    if (copies.length === 0) continue
    const bytes = await drawAnswerSheet(design, options.title)
    printed.push(await printCopies(bytes, copies, { ...options, layout: design.layout }, limits, progress))
  }
  const [only] = printed
  if (only && printed.length === 1) return only
  const document = await PDFDocument.create()
  for (const bytes of printed) {
    const source = await PDFDocument.load(bytes)
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  }
  document.setProducer('Assay')
  return Buffer.from(await document.save())
}

const black = rgb(0, 0, 0)
const grey = rgb(0.55, 0.55, 0.55)
const HOW = 'Fill one circle for each question with a pencil or a dark pen. To change an answer, erase it completely.'
const STAYS_EMPTY = 'Leave these empty:'
const NUMBER = 'Student number'
const NAME = 'Name'

async function drawAnswerSheet(design: SheetDesign, title: string): Promise<Buffer> {
  const document = await PDFDocument.create()
  const labels = design.questions.map(({ number }) => number)
  const texts = [title, HOW, STAYS_EMPTY, NUMBER, NAME, 'Version', 'ABCDEFTYN0123456789…', ...labels]
  const fonts = await embedFonts(document, texts)
  const { width, height } = sheetSize(sheetFormat(design))
  for (const layout of layOutSheet(design)) {
    const page = document.addPage([width, height])
    drawHead(page, layout, title, fonts)
    for (const { stem, tip, long } of layout.bars)
      for (const box of long ? [stem, tip] : [stem])
        page.drawRectangle({ ...box, y: height - box.y - box.height, color: black })
    for (const { kind, label, bubbles } of layout.groups) {
      for (const bubble of bubbles) drawBubble(page, bubble, fonts)
      const [x, y] = bubbles[0]?.at ?? [0, 0]
      if (kind === 'digit') drawDigitBox(page, x, y)
      else {
        const size = kind === 'version' ? LABEL.size : sizeOf(label, fonts)
        const start = x - BUBBLE_RADIUS - 5 - fonts.width(label, size, 'bold')
        drawLine(page, label, start, height - y - 0.35 * size, { size, weight: 'bold', colour: black }, fonts)
      }
    }
  }
  return Buffer.from(await document.save())
}

function drawHead(page: PDFPage, { groups, empty }: SheetPage, title: string, fonts: MarkupFonts): void {
  const height = page.getHeight()
  drawLine(page, fitText(title, 230, 12, fonts), 52, height - 88, { size: 12, weight: 'bold' }, fonts)
  // Below the title, as the upper code is right of it.
  drawLine(page, NAME, 52, height - 106, { size: 9 }, fonts)
  page.drawLine({ start: { x: 84, y: height - 108 }, end: { x: 282, y: height - 108 }, thickness: 0.5, color: black })
  drawLine(page, HOW, 52, height - 120, { size: 7.5 }, fonts)
  for (const bubble of empty) drawBubble(page, bubble, fonts)
  const [x = 0, y = 0] = empty[0]?.at ?? []
  drawLine(page, STAYS_EMPTY, x - 12 - fonts.width(STAYS_EMPTY, 7.5, 'regular'), height - y - 2.5, { size: 7.5 }, fonts)
  const digit = groups.find(({ kind }) => kind === 'digit')?.bubbles[0]
  if (digit) drawLine(page, NUMBER, digit.at[0] - 6, height - digit.at[1] + 26, { size: 8, weight: 'bold' }, fonts)
}

function drawDigitBox(page: PDFPage, x: number, y: number): void {
  const box = { x: x - 8, y: page.getHeight() - y + 9, width: 16, height: 14 }
  page.drawRectangle({ ...box, borderColor: black, borderWidth: 0.5 })
}

function drawBubble(page: PDFPage, { label, at: [x, y] }: SheetPage['empty'][number], fonts: MarkupFonts): void {
  const height = page.getHeight()
  page.drawCircle({ x, y: height - y, size: BUBBLE_RADIUS, borderColor: black, borderWidth: 0.8 })
  const size = 7
  const start = x - fonts.width(label, size, 'regular') / 2
  drawLine(page, label, start, height - y - 2.5, { size, colour: grey }, fonts)
}

const sizeOf = (label: string, fonts: MarkupFonts) =>
  Math.min(LABEL.size, (LABEL.size * LABEL.width) / fonts.width(label, LABEL.size, 'bold'))
