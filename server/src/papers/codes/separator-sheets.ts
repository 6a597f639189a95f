import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { PageImage } from '../pdf/page-image.ts'
import { qrCodePath } from './draw-page-code.ts'
import { SEPARATOR_ID } from './page-code.ts'
import { readLargeCodes } from './read-qr-codes.ts'

/** Points, large enough for the small pictures that a class scan is split by. */
const CODE_WIDTH = 260

const texts = [
  { text: 'Separator sheet', size: 34, up: 700, bold: true },
  { text: 'Place one before each paper and scan the whole stack.', size: 15, up: 668, bold: false },
  { text: 'Any way round will do. It belongs to no paper and can be used again,', size: 12, up: 220, bold: false },
  { text: 'also for another exam.', size: 12, up: 204, bold: false },
] as const

const [width, height] = [595.28, 841.89]

/** A4, with room to be printed on Letter. */
export async function drawSeparatorSheets(count: number): Promise<Buffer> {
  const document = await PDFDocument.create()
  const [sheet] = await document.embedPdf(await drawSeparatorSheet())
  if (sheet) for (let i = 0; i < count; i += 1) document.addPage([width, height]).drawPage(sheet)
  document.setTitle('Separator sheets')
  document.setProducer('Assay')
  return Buffer.from(await document.save())
}

async function drawSeparatorSheet(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const fonts = {
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    plain: await document.embedFont(StandardFonts.Helvetica),
  }
  const code = {
    copyId: SEPARATOR_ID,
    page: 1,
    layout: 1 as const,
    format: { name: 'a4' as const, landscape: false },
    reduction: 0,
  }
  const path = qrCodePath(code, 'top', (width - CODE_WIDTH) / 2, (height + CODE_WIDTH) / 2 + 30, CODE_WIDTH)
  const content = document.context.register(document.context.flateStream(`q 0 g\n${path}\nQ`))
  const page = document.addPage([width, height])
  page.node.addContentStream(content)
  for (const { text, size, up, bold } of texts) {
    const font = bold ? fonts.bold : fonts.plain
    page.drawText(text, { x: (width - font.widthOfTextAtSize(text, size)) / 2, y: up, size, font })
  }
  return document.save()
}

/** @param picture a whole page in grey, at 72 dpi or more */
export async function isSeparatorSheet(picture: PageImage): Promise<boolean> {
  return (await readLargeCodes(picture)).some(({ copyId }) => copyId === SEPARATOR_ID)
}
