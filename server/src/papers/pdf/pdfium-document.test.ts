import { expect, it, vi } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { usePaperFolder } from '../../testing/cached-paper-reader.ts'
import { defaultPaperLimits } from '../paper-limits.ts'
import { composePaper } from '../splitting/compose-paper.ts'
import { withPdfium } from './pdfium-document.ts'

const papers = usePaperFolder()

const drawLast = (source: Uint8Array | string) =>
  withPdfium(source, async (document) => ({
    pages: document.pages,
    last: await document.render(document.pages, { width: 200 }, defaultPaperLimits, 'Gray'),
  }))

it('draws the same from the path of a file as from its bytes', async () => {
  const pdf = await drawEssay(3)
  const fromFile = await drawLast(await papers.put(pdf))
  expect(fromFile.pages).toBe(3)
  expect(fromFile).toEqual(await drawLast(pdf))
})

it('makes the same bytes of the same pages at another time', async () => {
  const file = await papers.put(await drawEssay(2))
  const pages = [1, 2].map((number) => ({ file, number, turn: 0 as const }))
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T10:00:00Z') })
  try {
    const before = await composePaper(pages)
    vi.setSystemTime(new Date('2026-03-01T10:00:05Z'))
    expect(await composePaper(pages)).toEqual(before)
    expect(await drawLast(before)).toMatchObject({ pages: 2 })
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  ['empty', Buffer.alloc(0)],
  ['no PDF', Buffer.from('Dear teacher, my dog ate the rest.')],
])('says of a file that is %s that it is damaged', async (_, bytes) => {
  await expect(drawLast(await papers.put(bytes))).rejects.toMatchObject({ name: 'PaperError', code: 'damaged' })
})
