import { afterAll, expect, it } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { usePaperFolder } from '../../testing/cached-paper-reader.ts'
import { createPaperReader, type PaperReader } from '../paper-reader.ts'

const papers = usePaperFolder()
const readers: PaperReader[] = []
afterAll(async () => {
  for (const reader of readers) await reader.close()
})

it.each([{ lines: 60 }, { characters: 4000 }])('refuses too much text, with advice: %o', async (limits) => {
  const reader = createPaperReader({ processes: 1, limits })
  readers.push(reader)
  let pagesRead = 0
  const reading = reader.read(await papers.put(await drawEssay(8)), { onPage: (done) => (pagesRead = done) })
  await expect(reading).rejects.toMatchObject({
    code: 'too_much_text',
    message: expect.stringMatching(/^This PDF has more text .* Upload only the pages to be graded, .*\.$/),
  })
  expect(pagesRead).toBeLessThan(8)
})
