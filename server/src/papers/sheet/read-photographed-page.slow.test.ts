import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { drawPhotoJpeg } from '../../../../tests/papers/photo.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import { picturesToPdf } from '../pdf/pictures-to-pdf.ts'

const { reader, papers } = usePaperReader()

it('reads the words of a sheet on a patterned table, each in its place on the page, and none of the table', async () => {
  const essay = await drawEssay(1)
  const jpeg = await drawPhotoJpeg(essay, { seed: 5, table: 'stripes', width: 1700, shadow: 0.4 })
  const { width, height } = await sharp(jpeg).metadata()
  const points = { width: 600, height: (600 * height) / width }
  const pdf = picturesToPdf([{ jpeg, pixels: { width, height }, points }])
  const [written, photographed] = [await reader.read(await papers.put(essay)), await reader.read(await papers.put(pdf))]
  const words = (of: typeof written) =>
    of.pages.flatMap((page) => page.lines.flatMap((line) => (line.hidden ? [] : line.text.split(/\s+/))))
  const [expected, read] = [words(written), words(photographed)]
  const left = new Map<string, number>()
  for (const word of read) left.set(word, (left.get(word) ?? 0) + 1)
  const right = expected.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  })
  expect(right.length / expected.length).toBeGreaterThan(0.97)
  expect(read.length).toBeLessThan(1.02 * expected.length)
  const [page] = photographed.pages
  expect([page?.width, page?.height]).toEqual([points.width, points.height])
  for (const { box } of page?.lines ?? []) {
    expect(box.x).toBeGreaterThan(20)
    expect(box.x + box.width).toBeLessThan(580)
  }
})
