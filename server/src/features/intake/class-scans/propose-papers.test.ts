import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../lib/seeded-random.ts'
import { chooseSplit, proposePapers } from './propose-papers.ts'

const [width, height] = [148, 210]

/** Writing that no other page has: every so many squares are dark, from a place of its own. */
function writtenBy(student: number) {
  const bits = Buffer.alloc(Math.ceil((width * height) / 8))
  for (let i = 0; i < 400; i += 1) {
    const at = (student * 7919 + i * i * 31 + i * 977) % (width * height)
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return { width, height, bits }
}

const pageOf = (page: number, student: number) => ({
  page,
  turn: 0 as const,
  empty: false,
  blank_page: 1,
  sure: true,
  code: null,
  written: writtenBy(student),
})

const byBlank = { by: 'blank' as const, pages_per_paper: null }

it('asks about a sheet that was scanned twice, and about no other', async () => {
  const pages = [pageOf(1, 1), pageOf(2, 2), pageOf(3, 3), pageOf(4, 2)]
  const { papers } = await proposePapers(pages, byBlank, 1, new Map())
  const asked = papers.flatMap(({ pages }) => pages).map(({ page, doubts }) => [page, doubts.join(' ')])
  expect(asked).toEqual([
    [1, ''],
    [2, expect.stringContaining('Page 4 of the scan looks the same')],
    [3, ''],
    [4, expect.stringContaining('Page 2 of the scan looks the same')],
  ])
})

/** Every ruled line full of words: dark in the same bands, whoever wrote them. */
function fullLinesBy(student: number) {
  const random = seededRandom(student)
  const bits = Buffer.alloc(Math.ceil((width * height) / 8))
  for (let row = 10; row < height; row += 6)
    for (let at = row * width + 12; at < row * width + width - 12; at += 1)
      for (const line of [0, 1, 2])
        if (random() < 0.7) {
          const square = at + line * width
          bits[square >> 3] = (bits[square >> 3] ?? 0) | (1 << (square & 7))
        }
  return { width, height, bits }
}

it('takes the papers of two students who filled the same lines for two', async () => {
  const pages = [1, 2, 3].map((number) => ({ ...pageOf(number, number), written: fullLinesBy(number) }))
  const again = { ...pageOf(4, 3), written: fullLinesBy(3) }
  const { papers } = await proposePapers([...pages, again], byBlank, 1, new Map())
  const asked = papers.flatMap((paper) => paper.pages.filter(({ doubts }) => doubts.length > 0))
  expect(asked.map(({ page }) => page)).toEqual([3, 4])
})

it('asks about a page that could not be looked at', async () => {
  const pages = [
    pageOf(1, 1),
    { ...pageOf(2, 2), sure: false, blank_page: null, written: null, problem: 'It is damaged.' },
  ]
  const { papers, dropped } = await proposePapers(pages, byBlank, 1, new Map())
  const all = [...papers.flatMap((paper) => paper.pages), ...dropped]
  expect(all.find(({ page }) => page === 2)?.doubts).toContain('It could not be looked at: It is damaged.')
})

it('lets others have their turn while it compares the pages of a large class', async () => {
  const pages = Array.from({ length: 1_000 }, (_, i) => pageOf(i + 1, i))
  let [turns, done] = [0, false]
  const proposed = proposePapers(pages, byBlank, 1, new Map()).then((result) => {
    done = true
    return result
  })
  while (!done) {
    await setImmediate()
    turns += 1
  }
  expect((await proposed).papers).toHaveLength(1_000)
  // In one go there would be one.
  expect(turns).toBeGreaterThan(3)
})

it('splits at separator sheets unasked, but where pages have codes, sheets are few or another way was chosen', () => {
  const code = { copy_id: 'a', page: 1 }
  const page = { code: null, empty: false }
  const separator = { code, separator: true, empty: false }
  const back = { code: null, empty: true }
  const chosen = (pages: Parameters<typeof chooseSplit>[1], split: Parameters<typeof chooseSplit>[0] = byBlank) =>
    chooseSplit(split, pages, 2).by
  expect(chosen([separator, page, page, separator, page, page])).toBe('separators')
  expect(chosen([page, page, page, page])).toBe('blank')
  expect(chosen([separator, page, { ...page, code }, page, page])).toBe('blank')
  expect(chosen([separator, ...Array(6).fill(page)])).toBe('blank')
  expect(chosen(Array(3).fill([separator, back, page, back, page, back]).flat())).toBe('separators')
  expect(chosen([separator, page, page], { by: 'page_count', pages_per_paper: 2 })).toBe('page_count')
})

it('leaves separator sheets out of all papers, however a stack is split', async () => {
  const separator = { ...pageOf(2, 9), sure: false, blank_page: null, separator: true }
  const pages = [pageOf(1, 1), separator, pageOf(3, 2), pageOf(4, 3)]
  for (const by of ['blank', 'separators', 'page_count', 'empty_pages'] as const) {
    const split = { by, pages_per_paper: by === 'page_count' ? 1 : null }
    const { papers, dropped } = await proposePapers(pages, split, 1, new Map())
    expect(papers.flatMap((paper) => paper.pages.map(({ page }) => page))).toEqual([1, 3, 4])
    expect(dropped.map(({ page, doubts }) => [page, ...doubts])).toEqual([[2, 'This is a separator sheet.']])
  }
})
