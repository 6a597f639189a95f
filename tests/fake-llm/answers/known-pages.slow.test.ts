import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { defaultPaperLimits } from '../../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../../server/src/papers/pdf/pdfium-document.ts'
import { biologyQuiz } from '../../papers/demo-biology.ts'
import { drawDemoPaper } from '../../papers/demo-course.ts'
import { KnownPages } from './known-pages.ts'

/** A page as sent by the product: rendered, slightly deskewed, the name and the top edge covered, as JPEG. */
async function asSent(pdf: Uint8Array, turned: number): Promise<Buffer> {
  const page = await withPdfium(pdf, (document) => document.render(1, { width: 1_200 }, defaultPaperLimits, 'Gray'))
  const picture = sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
  const bar = await sharp({ create: { width: 500, height: 50, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  const covered = await picture
    .toColourspace('srgb')
    .composite([{ input: bar, left: 120, top: 120 }])
    .png()
    .toBuffer()
  const upright = await sharp(covered)
    .rotate(turned, { background: '#fff' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const across = { width: upright.info.width, height: 90, channels: 3, background: '#b8b8b8' } as const
  const edge = await sharp({ create: across }).png().toBuffer()
  return sharp(upright.data)
    .composite([{ input: edge, left: 0, top: 0 }])
    .jpeg({ quality: 80 })
    .toBuffer()
}

describe('known pages', () => {
  it('are recognised among the class’s, and others are not', async () => {
    const scans = biologyQuiz.papers.filter(({ style }) => style === 'scanned').slice(0, 2)
    expect(scans).toHaveLength(2)
    const pages = new KnownPages()
    const drawn: Uint8Array[] = []
    for (const [index, paper] of scans.entries()) {
      const { bytes } = await drawDemoPaper(biologyQuiz, paper)
      drawn.push(bytes)
      await pages.learnPaper(bytes, [`paper ${index}`])
    }
    for (const [index, pdf] of drawn.entries())
      for (const turned of [0, 0.5, 180]) expect(await pages.read(await asSent(pdf, turned))).toBe(`paper ${index}`)
    const noise = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(await pages.read(noise)).toBeNull()
  })
})
