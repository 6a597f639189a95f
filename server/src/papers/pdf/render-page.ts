import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { PaperLimits } from '../paper-limits.ts'
import { withPdfium } from './pdfium-document.ts'

/** One page as a PNG, form values and annotations included. Throws PaperError. */
export async function renderPage(file: string, page: number, width: number, limits: PaperLimits): Promise<Buffer> {
  const bytes = await readFile(file)
  const image = await withPdfium(bytes, (document) => document.render(page, { width }, limits, 'BGRA'))
  return sharp(image.data, { raw: { width: image.width, height: image.height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer()
}
