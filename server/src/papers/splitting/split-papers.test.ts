import { describe, expect, it } from 'vitest'
import type { PageKind } from './paper-cost.ts'
import { splitAtEmptyPages, splitByBlank, splitByCount } from './split-papers.ts'

/** `1 2 ? 4? _`: pages of the blank, one that is like none, one that may be the fourth, and an empty one. */
const stack = (text: string): PageKind[] =>
  text
    .split(' ')
    .map((one) => ({
      blankPage: /\d/.test(one) ? Number.parseInt(one, 10) : null,
      sure: /^\d$/.test(one),
      empty: one === '_',
    }))

const places = (result: ReturnType<typeof splitByBlank>) =>
  result.papers.map(({ pages }) => pages.map(({ index }) => index))
const asked = (result: ReturnType<typeof splitByBlank>) =>
  result.papers.flatMap(({ pages }) => pages.flatMap(({ index, doubts }) => (doubts.length > 0 ? [index] : [])))

describe('splitting by the blank', () => {
  it('begins a paper at each first page, and asks about none of them', () => {
    const result = splitByBlank(stack('1 2 3 1 2 3 1 2 3'), 3)
    expect(places(result)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ])
    expect(asked(result)).toEqual([])
  })

  it('puts the pages of a paper in order, and says so', () => {
    const result = splitByBlank(stack('1 2 3 4 1 3 2 4 1 2 3 4'), 4)
    expect(places(result)[1]).toEqual([4, 6, 5, 7])
    expect(result.papers[1]?.notes).toEqual(['Its pages were scanned in another order and were put in order.'])
  })

  it.each([1, 2, 3, 4])('names page %i where it is missing, and gives its paper no page of another', (gone) => {
    const own = [1, 2, 3, 4].filter((page) => page !== gone)
    const result = splitByBlank(stack(`1 2 3 4 ${own.join(' ')} 1 2 3 4`), 4)
    expect(places(result)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
      [7, 8, 9, 10],
    ])
    expect(result.papers[1]?.notes).toEqual([`Page ${gone} is missing.`])
  })

  it('asks about both pages that are there twice', () => {
    const result = splitByBlank(stack('1 2 3 1 2 2 3 1 2 3'), 3)
    expect(places(result)[1]).toEqual([3, 4, 5, 6])
    expect(asked(result)).toEqual([4, 5])
  })

  it('asks about a page that is not in the blank, and keeps it where it lies', () => {
    const result = splitByBlank(stack('1 2 ? 3 1 2 3'), 3)
    expect(places(result)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
    ])
    expect(asked(result)).toEqual([2])
  })

  it('asks about a page that two ways to split give to different papers', () => {
    // The second page may be the second student's last or the third's first.
    expect(asked(splitByBlank(stack('1 2 3 4 1 3 4 2 1 3 4 1 2 3 4'), 4))).toEqual([7])
  })

  it('takes no page that is like the last for the missing first, and so gives no first page to the student before', () => {
    const result = splitByBlank(stack('1 2 3 4 2 3 4 1 2 3 4 1 2 3 4? 4 1 2 3 4'), 4)
    expect(places(result).slice(0, 4)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
      [7, 8, 9, 10],
      [11, 12, 13, 14, 15],
    ])
    expect(asked(result)).toEqual([14])
  })

  it('gives no first page to the student before for a page of another exam that lies elsewhere', () => {
    const result = splitByBlank(stack('1 2 3 4 2 3 4 1 2 3 4 1 2 3 4 2 ? 1 2 3 4'), 4)
    expect(places(result).slice(1, 4)).toEqual([
      [4, 5, 6],
      [7, 8, 9, 10],
      [11, 12, 15, 13, 14],
    ])
    expect(asked(result)).toEqual([12, 15, 14, 16])
  })

  it.each([
    ['the last page first', '4 3 2 1', [3, 2, 1, 0]],
    ['the back of each sheet first', '2 1 4 3', [1, 0, 3, 2]],
    ['the last sheet first', '3 4 1 2', [2, 3, 0, 1]],
    ['the first page last', '2 3 4 1', [3, 0, 1, 2]],
    ['the last page above the others', '4 1 2 3', [1, 2, 3, 0]],
  ])('gives each student their own pages where all papers lie with %s', (_, paper, order) => {
    const lying = Array.from({ length: 12 }, () => paper)
    const missing = paper.replace(/ ?2/, '').trim()
    const own = (first: number) => order.map((at) => first + at)
    const whole = splitByBlank(stack(lying.join(' ')), 4)
    expect(places(whole)).toEqual(lying.map((_, i) => own(4 * i)))
    expect(asked(whole)).toEqual([])
    const gap = splitByBlank(stack(lying.with(5, missing).join(' ')), 4)
    expect([places(gap)[4], places(gap)[6]]).toEqual([own(16), own(23)])
    expect(gap.papers[5]?.notes).toContain('Page 2 is missing.')
    expect(asked(gap)).toEqual([])
  })

  it.each([
    ['the last page first', '4 3 2 1', [3, 2, 1, 0]],
    ['the back of each sheet first', '2 1 4 3', [1, 0, 3, 2]],
  ])('tells where papers that lie with %s are followed by others that do not', (_, paper, order) => {
    const some = Array.from({ length: 12 }, () => '1 2 3 4')
    const result = splitByBlank(stack([...some, ...some.map(() => paper), ...some].join(' ')), 4)
    expect(places(result)[11]).toEqual([44, 45, 46, 47])
    expect(places(result)[12]).toEqual(order.map((at) => 48 + at))
    expect(places(result)[24]).toEqual([96, 97, 98, 99])
    expect(asked(result)).toEqual([])
  })

  it('asks about no page between one that is there twice and one that is missing', () => {
    const right = Array.from({ length: 9 }, () => '1 2 3 4').join(' ')
    const result = splitByBlank(stack(`${right} 1 2 4 3 4 ${right} 3 1 2 4 1 2 3 4 1 2 3 ${right}`), 4)
    expect(asked(result)).toEqual([38, 40])
  })

  it('leaves a page that could not be told beside its neighbours in a paper that lies back to front', () => {
    const lying = Array.from({ length: 6 }, () => '4 3 2 1')
    const result = splitByBlank(stack([...lying, '4 ? 2 1', ...lying].join(' ')), 4)
    expect(places(result)[6]).toEqual([27, 26, 25, 24])
  })

  it('gives two pages to each student where all backs lie above the fronts', () => {
    const result = splitByBlank(stack(Array.from({ length: 9 }, () => '2 1').join(' ')), 2)
    expect(places(result)).toEqual(Array.from({ length: 9 }, (_, i) => [2 * i + 1, 2 * i]))
    expect(asked(result)).toEqual([])
  })

  it.each(['2 1', '1 2'])(
    'gives no page to another student unasked where five sheets lie with %s among others',
    (paper) => {
      const others = Array.from({ length: 9 }, () => (paper === '2 1' ? '1 2' : '2 1'))
      for (const { pages } of splitByBlank(stack([...others, ...Array<string>(5).fill(paper), ...others].join(' ')), 2)
        .papers) {
        const unasked = pages.filter(({ doubts }) => doubts.length === 0)
        expect(new Set(unasked.map(({ index }) => index >> 1)).size).toBeLessThan(2)
      }
    },
  )

  it('keeps the empty backs of sheets without asking', () => {
    const result = splitByBlank(stack('1 _ 2 _ 1 _ 2 _'), 2)
    expect(places(result)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
    expect(asked(result)).toEqual([])
  })
})

it('splits by count, and asks where a first page is not first', () => {
  const result = splitByCount(stack('1 2 3 1 2 1 2 3'), 3)
  expect(places(result)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7],
  ])
  expect(asked(result)).toEqual([5, 6])
  expect(result.papers[2]?.notes).toEqual(['This paper has 2 of 3 pages. Check where pages are missing before it.'])
})

it('splits at empty sheets, which go into no paper', () => {
  const result = splitAtEmptyPages(stack('1 2 _ 1 2 _ _ 1'), 2)
  expect(places(result)).toEqual([[0, 1], [3, 4], [7]])
  expect(result.dropped).toEqual([2, 5, 6])
  expect(result.papers[2]?.notes).toEqual(['This paper has 1 of 2 pages.'])
})
