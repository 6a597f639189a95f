import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import { addPicture, newDocument, toBuffer } from './sheet.ts'

interface Stain {
  x: number
  y: number
  radius: number
  kind: 'coffee' | 'torn'
}

export interface CopiedSheet {
  page: number
  /** Degrees clockwise. The glass is no larger than the sheet: corners are lost. */
  turned: number
  dpi: number
  stains?: readonly Stain[]
}

/** As a copier enlarges (1.1) or reduces (0.9) a sheet about its middle, onto paper of the same size. */
export async function copyAt(pdf: Buffer, size: number): Promise<Buffer> {
  const copy = await PDFDocument.create()
  const source = await PDFDocument.load(pdf)
  for (const page of await copy.embedPages(source.getPages())) {
    const { width, height } = page
    const place = { x: ((1 - size) * width) / 2, y: ((1 - size) * height) / 2, xScale: size, yScale: size }
    copy.addPage([width, height]).drawPage(page, place)
  }
  return Buffer.from(await copy.save())
}

/** By an office copier: grey JPEGs of middling quality, noise and a little blur, pages in the given order. */
export async function copySheets(pdf: Buffer, sheets: readonly CopiedSheet[], seed: number): Promise<Buffer> {
  const random = seededRandom(seed)
  const doc = newDocument()
  await withPdfium(pdf, async (document) => {
    for (const sheet of sheets) {
      const scale = sheet.dpi / 72
      const { width, height, data } = await document.render(
        sheet.page,
        { scale: 2 * scale },
        defaultPaperLimits,
        'Gray',
      )
      const jpeg = await copySheet({ width, height, data }, sheet, random)
      const [w, h] = liesSideways(sheet) ? [height, width] : [width, height]
      addPicture(doc, jpeg, w / 2 / scale, h / 2 / scale)
    }
  })
  return toBuffer(doc)
}

const liesSideways = ({ turned }: CopiedSheet) => Math.abs(Math.sin((turned * Math.PI) / 180)) > 0.7

async function copySheet(
  { width, height, data }: { width: number; height: number; data: Uint8Array },
  sheet: CopiedSheet,
  random: () => number,
): Promise<Buffer> {
  const { turned, dpi, stains = [] } = sheet
  // In one channel and never compressed: a class has hundreds of such pictures.
  const raw = { raw: { width, height, channels: 1 } } as const
  const stained =
    stains.length === 0
      ? data
      : await sharp(data, raw)
          .composite(stains.map((stain) => ({ input: stainSvg(width, height, stain, (2 * dpi) / 72) })))
          .toColourspace('b-w')
          .raw()
          .toBuffer()
  const lying = await sharp(stained, raw)
    .rotate(turned, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width: wide, height: high } = lying.info
  // As if the glass had the sheet's size, whichever way it lies.
  const [w, h] = liesSideways(sheet) ? [height, width] : [width, height]
  const left = Math.max(0, Math.round((wide - w) / 2))
  const top = Math.max(0, Math.round((high - h) / 2))
  const small = await sharp(lying.data, { raw: { width: wide, height: high, channels: 1 } })
    .extract({ left, top, width: Math.min(w, wide), height: Math.min(h, high) })
    .resize(Math.round(w / 2), Math.round(h / 2), { fit: 'fill' })
    .linear(0.75 + 0.1 * random(), 15 + 20 * random())
    .blur(0.4 + 0.2 * random())
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let i = 0; i < small.data.length; i += 1)
    small.data[i] = Math.max(0, Math.min(255, (small.data[i] ?? 0) + (random() + random() - 1) * 16))
  return sharp(small.data, { raw: { width: small.info.width, height: small.info.height, channels: 1 } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

function stainSvg(width: number, height: number, stain: Stain, scale: number): Buffer {
  const [x, y, r] = [stain.x * scale, stain.y * scale, stain.radius * scale]
  const fill =
    stain.kind === 'torn'
      ? 'fill="#fff"'
      : `fill="#5a3a1a" fill-opacity=".45" stroke="#3a2410" stroke-opacity=".85" stroke-width="${3 * scale}"`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="${x}" cy="${y}" r="${r}" ${fill}/></svg>`,
  )
}
