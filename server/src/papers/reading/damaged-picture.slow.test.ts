import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { withoutPictureBytes } from '../../../../tests/papers/change-pictures.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'

const { reader, papers } = usePaperReader()

const readPage = async (bytes: Buffer) => {
  const [page] = (await reader.read(await papers.put(bytes))).pages
  if (!page) throw new Error('no page')
  return { damaged: page.damaged, text: page.lines.map(({ text }) => text).join('\n') }
}

const empty = { width: 1600, height: 800, channels: 3, background: 'white' } as const
const written = `<svg width="1600" height="800"><text x="120" y="400" font-size="90" font-family="DejaVu Sans">Answer in a picture</text></svg>`

async function drawPage({ typed, picture }: { typed: string | null; picture: 'written' | 'white' | 'damaged' }) {
  const document = await PDFDocument.create()
  const page = document.addPage([595, 842])
  if (typed) page.drawText(typed, { x: 60, y: 760, size: 14 })
  const drawn = sharp({ create: empty })
  const jpeg = await (picture === 'white' ? drawn : drawn.composite([{ input: Buffer.from(written) }]))
    .jpeg()
    .toBuffer()
  page.drawImage(await document.embedJpg(jpeg), { x: 60, y: 400, width: 440, height: 220 })
  const bytes = Buffer.from(await document.save())
  return picture === 'damaged' ? withoutPictureBytes(bytes, 1) : bytes
}

describe('a page with a picture that cannot be opened', () => {
  it('is damaged, and what is typed beside it is read', async () => {
    const page = await readPage(await drawPage({ typed: 'Question 1', picture: 'damaged' }))
    expect(page).toEqual({ damaged: true, text: 'Question 1' })
  })

  it('is damaged where another strip of its scan can be read', async () => {
    const strips = await PDFDocument.load(await drawPage({ typed: null, picture: 'damaged' }))
    const strip = sharp({ create: empty }).composite([{ input: Buffer.from(written) }])
    const above = await strips.embedJpg(await strip.jpeg().toBuffer())
    strips.getPage(0).drawImage(above, { x: 60, y: 620, width: 440, height: 220 })
    const page = await readPage(Buffer.from(await strips.save()))
    expect(page).toEqual({ damaged: true, text: 'Answer in a picture' })
  })

  it.each(['written', 'white'] as const)('is not said of a picture that is %s', async (picture) => {
    const page = await readPage(await drawPage({ typed: 'Question 1', picture }))
    expect(page).toEqual({
      damaged: undefined,
      text: picture === 'white' ? 'Question 1' : 'Question 1\nAnswer in a picture',
    })
  })
})
