import type { Box } from '@assay/shared/papers.ts'
import { PDFOperatorNames as Op, PDFDict, PDFDocument, PDFName, PDFOperator, type PDFPage, type PDFRef } from 'pdf-lib'
import { type Matrix, multiply, toMatrix } from '../geometry/matrix.ts'
import { mapInk } from '../markup/ink-map.ts'
import { embedFonts } from '../markup/markup-fonts.ts'
import { framePage } from '../markup/page-frame.ts'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { toJpeg } from '../pdf/page-image.ts'
import { type PdfiumDocument, withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { drawPageCode } from './draw-page-code.ts'
import { MOST_PAGES, NEWEST_LAYOUT, type SheetFormat, type SheetLayout } from './page-code.ts'
import { type CopyToPrint, MOST_PRINTED_PAGES, type PrintOptions } from './printed-copy.ts'
import { chooseReduction, chooseSheet, placePage, reservedBoxes, type Size, sheetSize } from './sheet-layout.ts'

/** Without scripts, links or attachments. @throws {PaperError} */
export async function printCopies(
  bytes: Buffer,
  copies: readonly CopyToPrint[],
  { doubleSided, layout = NEWEST_LAYOUT }: PrintOptions & { layout?: SheetLayout },
  limits: PaperLimits,
  progress: Progress,
): Promise<Buffer> {
  return withPdfium(bytes, async (original) => {
    if (original.pages > MOST_PAGES || original.pages * copies.length > MOST_PRINTED_PAGES)
      throw new PaperError(
        'too_many_pages',
        `That makes more than ${MOST_PRINTED_PAGES} pages. Print fewer copies at a time.`,
      )
    const document = await PDFDocument.create()
    const withName = copies.some(({ name }) => name !== '')
    const reserved = (sheet: Size) => reservedBoxes(sheet, layout, withName)
    const printed = await takeOver(document, bytes, original, reserved, limits, progress)
    const texts = copies.flatMap(({ name, label }) => [name, pageText(label, printed.length, printed.length), '…'])
    const fonts = await embedFonts(document, [...texts, '0123456789'])
    for (const [i, { copyId, name, label }] of copies.entries()) {
      for (const [index, { content, format, reduction, matrix }] of printed.entries()) {
        const sheet = sheetSize(format)
        const page = document.addPage([sheet.width, sheet.height])
        drawContent(page, content, matrix)
        const code = { copyId, page: index + 1, layout, format, reduction }
        drawPageCode(page, code, { name, page: pageText(label, index + 1, printed.length) }, fonts)
      }
      const last = printed.at(-1)
      if (doubleSided && printed.length % 2 === 1 && last) {
        const { width, height } = sheetSize(last.format)
        document.addPage([width, height])
      }
      if (i % 10 === 0) progress.step()
    }
    document.setProducer('Assay')
    return Buffer.from(await document.save())
  })
}

const pageText = (label: string, page: number, pages: number) =>
  [label, `Page ${page} of ${pages}`].filter((part) => part !== '').join(' · ')

interface PrintedPage {
  content: PDFRef
  format: SheetFormat
  reduction: number
  matrix: Matrix
}

async function takeOver(
  document: PDFDocument,
  bytes: Buffer,
  original: PdfiumDocument,
  reserved: (sheet: Size) => Box[],
  limits: PaperLimits,
  progress: Progress,
): Promise<PrintedPage[]> {
  const source = await loadFlat(bytes, original.pages)
  const pages: PrintedPage[] = []
  for (let number = 1; number <= original.pages; number += 1) {
    const size = original.size(number)
    const format = chooseSheet(size)
    const sheet = sheetSize(format)
    const scaled = { scale: Math.min(2, 1600 / Math.max(size.width, size.height)) }
    const ink = await mapInk(await original.render(number, scaled, limits, 'Gray'), 0, size)
    const reduction = chooseReduction(size, sheet, reserved(sheet), (box) => ink.blank(box) === 'empty')
    const { scale, x, y } = placePage(size, sheet, reduction)
    const place: Matrix = [scale, 0, 0, scale, x, sheet.height - y - scale * size.height]
    const sourcePage = source?.getPage(number - 1)
    const own = sourcePage && isPlain(sourcePage) ? await embedOwn(document, sourcePage) : null
    const { content, matrix } = own ?? (await embedPicture(document, original, number, size, limits))
    pages.push({ content, format, reduction, matrix: multiply(place, matrix) })
    progress.step()
  }
  return pages
}

async function loadFlat(bytes: Buffer, pages: number): Promise<PDFDocument | null> {
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false })
    if (source.getForm().getFields().length > 0) source.getForm().flatten()
    return source.getPageCount() === pages ? source : null
  } catch {
    return null
  }
}

/** Links are ignored, as they print as nothing. */
function isPlain(page: PDFPage): boolean {
  const all = page.node.Annots()?.asArray() ?? []
  return all.every((one) => {
    const annotation = page.doc.context.lookup(one)
    return !(annotation instanceof PDFDict) || annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link')
  })
}

async function embedOwn(document: PDFDocument, page: PDFPage) {
  try {
    const { matrix } = framePage(page, 0)
    const media = page.getMediaBox()
    const crop = page.getCropBox()
    const bounds = {
      left: Math.max(media.x, crop.x),
      bottom: Math.max(media.y, crop.y),
      right: Math.min(media.x + media.width, crop.x + crop.width),
      top: Math.min(media.y + media.height, crop.y + crop.height),
    }
    const embedded = await document.embedPage(page, bounds, [1, 0, 0, 1, 0, 0])
    await embedded.embed()
    return { content: embedded.ref, matrix: inverse(matrix) }
  } catch {
    return null
  }
}

/** Pixels a point: 200 dpi, as much as printers show of grey. */
const PICTURE_SCALE = 200 / 72

async function embedPicture(
  document: PDFDocument,
  original: PdfiumDocument,
  number: number,
  size: Size,
  limits: PaperLimits,
) {
  const picture = await original.render(number, { scale: PICTURE_SCALE }, limits, 'BGRA')
  const image = await document.embedJpg(await toJpeg(picture, 88))
  await image.embed()
  return { content: image.ref, matrix: toMatrix([size.width, 0, 0, size.height, 0, 0]) }
}

function drawContent(page: PDFPage, content: PDFRef, matrix: readonly number[]): void {
  const name = page.node.newXObject('Blank', content)
  page.pushOperators(
    PDFOperator.of(Op.PushGraphicsState),
    PDFOperator.of(
      Op.ConcatTransformationMatrix,
      matrix.map((one) => one.toFixed(5)),
    ),
    PDFOperator.of(Op.DrawObject, [name.toString()]),
    PDFOperator.of(Op.PopGraphicsState),
  )
}

function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const k = a * d - b * c
  return [d / k, -b / k, -c / k, a / k, (c * f - d * e) / k, (b * e - a * f) / k]
}
