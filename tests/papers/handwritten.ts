import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import type { DrawnAssignment, DrawnStudent } from './drawn-assignment.ts'
import { layOutPaper } from './paper-layout.ts'
import { createResultCache } from './result-cache.ts'
import { type ScanOptions, simulateScan } from './scan.ts'
import {
  addPicture,
  drawSheets,
  emptySheet,
  margin,
  newDocument,
  type Sheet,
  sheetHeight,
  sheetWidth,
  toBuffer,
  wrap,
} from './sheet.ts'

interface HandwritingOptions extends Partial<ScanOptions> {
  /** 0 (like print) to 1; OCR is confident about half of it at .6. */
  wild?: number
}

interface HandwrittenText {
  sheet: Sheet
  text: string
  x: number
  y: number
}

const size = 15
const lineHeight = 26

export function drawHandwrittenSheet(lines: readonly string[], options: HandwritingOptions = {}): Promise<Buffer> {
  const sheets: Sheet[] = []
  const perSheet = Math.floor((sheetHeight - 2 * margin) / lineHeight)
  const ink = lines.map((text, i): HandwrittenText => {
    if (i % perSheet === 0) sheets.push(emptySheet())
    const sheet = sheets.at(-1) ?? emptySheet()
    const y = margin + 20 + (i % perSheet) * lineHeight
    sheet.rules.push({ x1: margin, x2: sheetWidth - margin, y: y + 4 })
    return { sheet, text, x: margin + 6, y }
  })
  return drawByHand(sheets, ink, options)
}

export function drawHandwrittenPaper(
  assignment: DrawnAssignment,
  student: Pick<DrawnStudent, 'full_name'>,
  answers: readonly string[],
  options: HandwritingOptions = {},
): Promise<Buffer> {
  const { sheets, spaces } = layOutPaper(assignment, {})
  const ink: HandwrittenText[] = []
  const [first] = sheets
  const name = first?.ink.find(({ text }) => text === 'Name:')
  if (first && name) ink.push({ sheet: first, text: student.full_name, x: name.x + 42, y: name.y })
  for (const [index, { sheet, baselines }] of spaces.entries()) {
    const lines = wrap(answers[index] ?? '', sheetWidth - 2 * margin - 30, 'Times-Italic', size)
    if (lines.length > baselines.length) throw new Error(`The answer does not fit its lines: ${answers[index]}`)
    for (const [i, text] of lines.entries()) ink.push({ sheet, text, x: margin + 6, y: baselines[i] ?? 0 })
  }
  return drawByHand(sheets, ink, options)
}

const cached = createResultCache('handwriting', ['tests/papers', 'server/src/papers'])

function drawByHand(
  sheets: readonly Sheet[],
  ink: readonly HandwrittenText[],
  options: HandwritingOptions,
): Promise<Buffer> {
  const written = ink.map(({ sheet, ...text }) => ({ ...text, sheet: sheets.indexOf(sheet) }))
  return cached([sheets, written, options], () => renderHandwriting(sheets, ink, options))
}

/** Drawn at high resolution, then scanned. */
const dpi = 200

async function renderHandwriting(
  sheets: readonly Sheet[],
  ink: readonly HandwrittenText[],
  { wild = 0.6, seed = 1, ...options }: HandwritingOptions,
): Promise<Buffer> {
  const random = seededRandom(seed)
  const print = await drawSheets(sheets, { title: 'Handwritten' })
  const doc = newDocument()
  for (const [index, sheet] of sheets.entries()) {
    const page = await withPdfium(print, (document) =>
      document.render(index + 1, { scale: dpi / 72 }, defaultPaperLimits, 'Gray'),
    )
    const own = ink.filter((one) => one.sheet === sheet)
    const hand = handwritingSvg(own, page, wild, random)
    const drawn = await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
      .toColourspace('srgb')
      .composite([{ input: Buffer.from(hand) }])
      // Opaque all over, but pdfkit would take it apart to keep that.
      .removeAlpha()
      .png({ compressionLevel: 1 })
      .toBuffer()
    addPicture(doc, drawn, sheetWidth, sheetHeight)
  }
  return simulateScan(await toBuffer(doc), { seed, ...options })
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function handwritingSvg(
  ink: readonly HandwrittenText[],
  { width, height }: { width: number; height: number },
  wild: number,
  random: () => number,
): string {
  const measure = new PDFDocument({ autoFirstPage: false }).font('Times-Italic')
  const off = (range: number) => (random() * 2 - 1) * range * wild * 1.6
  const shake = (wild * 7).toFixed(2)
  const lines = ink.map(({ text, x, y }, line) => {
    let at = x
    let drift = 0
    const glyphs = [...text].map((letter) => {
      const own = size * (1 + off(0.16))
      const here = at
      drift = drift * 0.8 + off(0.9)
      at += measure.fontSize(size).widthOfString(letter) * (1 + off(0.12)) - 0.25 * wild
      const turn = `rotate(${(-4 + off(11)).toFixed(1)})`
      const place = `translate(${here.toFixed(2)} ${(y + drift).toFixed(2)}) ${turn} skewX(${(-6 + off(10)).toFixed(1)})`
      return `<text transform="${place}" font-size="${own.toFixed(2)}">${escapes[letter] ?? letter}</text>`
    })
    // A filter takes time by its area, and most of a page is empty.
    const box = `x="${x - 2 * size}" y="${y - 2 * size}" width="${(at - x + 4 * size).toFixed(0)}" height="${3 * size}"`
    return `<filter id="shake${line}" filterUnits="userSpaceOnUse" ${box}><feTurbulence type="fractalNoise" baseFrequency="0.11" numOctaves="2" seed="7"/>
<feDisplacementMap in="SourceGraphic" scale="${shake}" xChannelSelector="R" yChannelSelector="G"/></filter><g filter="url(#shake${line})">${glyphs.join('')}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${sheetWidth} ${sheetHeight}">
<g font-family="Liberation Serif, Times New Roman, serif" font-style="italic" fill="#1d2f6f">${lines.join('')}</g></svg>`
}
