import bwipjs from 'bwip-js/generic'
import type { PDFPage } from 'pdf-lib'
import { drawLine } from '../markup/draw-text.ts'
import type { MarkupFonts } from '../markup/markup-fonts.ts'
import { type CodePlace, codePlaces, encodePageCode, type PageCode } from './page-code.ts'
import { CODE_SIDE, codeBox, MARK_DIAMETER, markCentres, sheetSize, textBoxes } from './sheet-layout.ts'

export function drawPageCode(
  page: PDFPage,
  code: PageCode,
  texts: { name: string; page: string },
  fonts: MarkupFonts,
): void {
  const sheet = sheetSize(code.format)
  const paths = [
    ...codePlaces.map((place) => {
      const { x, y } = codeBox(place, sheet, code.layout)
      return qrCodePath(code, place, x, sheet.height - y)
    }),
    ...markCentres(sheet, code.layout).map(([x, y]) => discPath(x, sheet.height - y, MARK_DIAMETER / 2)),
  ]
  // Compressed at once, as the codes of a thousand pages would fill the memory as operators.
  const { context } = page.doc
  page.node.addContentStream(context.register(context.flateStream(`q 0 g\n${paths.join('\n')}\nQ`)))
  const boxes = textBoxes(sheet, code.layout)
  const baseline = (box: { y: number; height: number }) => sheet.height - box.y - box.height + 3
  const name = fitText(texts.name, boxes.name.width, 10, fonts)
  if (name !== '') drawLine(page, name, boxes.name.x, baseline(boxes.name), { size: 10, weight: 'bold' }, fonts)
  const number = fitText(texts.page, boxes.page.width, 8, fonts)
  drawLine(page, number, boxes.page.x, baseline(boxes.page), { size: 8 }, fonts)
}

export function fitText(text: string, width: number, size: number, fonts: MarkupFonts): string {
  const fits = (one: string) => fonts.width(one, size, 'bold') <= width
  if (fits(text)) return text
  const letters = [...text]
  while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** `top` is the upper edge in the file's coordinates. */
export function qrCodePath(code: PageCode, place: CodePlace, left: number, top: number, width = CODE_SIDE): string {
  const { modules, side } = qrModules(encodePageCode(code, place))
  const size = width / side
  const rectangles: string[] = []
  for (let row = 0; row < side; row += 1)
    for (let start = 0; start < side; start += 1) {
      if (!modules[row * side + start]) continue
      let end = start
      while (end < side && modules[row * side + end]) end += 1
      // A little overlap, so that viewers leave no white line between rows.
      const numbers = [left + start * size, top - (row + 1) * size - 0.02, (end - start) * size, size + 0.02]
      rectangles.push(`${numbers.map((one) => one.toFixed(2)).join(' ')} re`)
      start = end
    }
  return `${rectangles.join('\n')} f`
}

/** 25 modules a side; at level H almost a third may be unreadable. */
function qrModules(bytes: Buffer): { modules: boolean[]; side: number } {
  const text = [...bytes].map((byte) => `^${String(byte).padStart(3, '0')}`).join('')
  const [drawn] = bwipjs.raw('qrcode', text, 'parse binarytext eclevel=H')
  if (!drawn || !('pixs' in drawn)) throw new Error('the library drew no matrix')
  return { modules: drawn.pixs.map((pixel) => pixel === 1), side: drawn.pixx }
}

/** Four Bézier curves leave a circle by less than a thousandth of its radius. */
function discPath(x: number, y: number, radius: number): string {
  const k = 0.5523 * radius
  const curve = (...numbers: number[]) => `${numbers.map((one) => one.toFixed(3)).join(' ')} c`
  return [
    `${(x + radius).toFixed(3)} ${y.toFixed(3)} m`,
    curve(x + radius, y + k, x + k, y + radius, x, y + radius),
    curve(x - k, y + radius, x - radius, y + k, x - radius, y),
    curve(x - radius, y - k, x - k, y - radius, x, y - radius),
    curve(x + k, y - radius, x + radius, y - k, x + radius, y),
    'f',
  ].join('\n')
}
