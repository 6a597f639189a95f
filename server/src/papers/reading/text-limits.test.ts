import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { createPaperFolder } from '../../../../tests/papers/temporary-papers.ts'
import { createPaperReader, type PaperReader } from '../paper-reader.ts'

let papers: Awaited<ReturnType<typeof createPaperFolder>>
const readers: PaperReader[] = []
beforeAll(async () => {
  papers = await createPaperFolder()
})
afterAll(async () => {
  for (const reader of readers) await reader.close()
  await papers.remove()
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
  // It stopped before the end.
  expect(pagesRead).toBeLessThan(8)
})
