import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import { costOf, type PageKind } from './paper-cost.ts'

export interface SplitPage {
  index: number
  doubts: string[]
  /** Ids of copies that lack just this page, the likeliest first. */
  copies?: string[]
}

export interface SplitPaper {
  pages: SplitPage[]
  notes: string[]
}

export interface SplitResult {
  papers: SplitPaper[]
  dropped: number[]
}

export const missingNote = (pages: readonly number[]): string =>
  `${capitalized(numberedList('page', [...pages]))} ${pages.length === 1 ? 'is' : 'are'} missing.`

/** Extra cost, below that of a missing page, at which another split counts as equally good. */
const AS_GOOD = 2

const page = (number: number) => `page ${number}`

/** Of the page order changing within the stack. */
const ANOTHER_ORDER = 4

export function splitByBlank(kinds: readonly PageKind[], blankPages: number): SplitResult {
  const count = kinds.length
  if (count === 0) return { papers: [], dropped: [] }
  const cuts = cheapestCuts(kinds, blankPages)
  const papers: SplitPaper[] = []
  const doubtful = doubtfulPages(cuts.starts, cuts.extra)
  for (const [i, start] of cuts.starts.slice(0, -1).entries()) {
    const end = cuts.starts[i + 1] ?? count
    papers.push(describe(kinds, start, end, blankPages, doubtful))
  }
  return { papers, dropped: [] }
}

/** Where papers begin and, last, the stack ends, with pages in any order; and what other cuts would cost more. */
function cheapestCuts(kinds: readonly PageKind[], blankPages: number) {
  const count = kinds.length
  const longest = Math.min(count, 2 * blankPages + 6)
  const orders = pageOrders(blankPages)
  const inOrders = orders.map(({ places }) =>
    kinds.map(({ blankPage, ...kind }) => ({ ...kind, blankPage: blankPage && (places[blankPage - 1] ?? null) })),
  )
  const infinite = () => new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  /** Per order: the cost of all before a place if the last paper has that order, and where that paper begins. */
  const forth = orders.map(infinite)
  const from = orders.map(() => new Int32Array(count + 1))
  /** The cost of all after a place if its first paper has that order. */
  const back = orders.map(infinite)
  for (const [order, costs] of forth.entries()) costs[0] = order === 0 ? 0 : ANOTHER_ORDER
  for (const costs of back) costs[count] = 0

  const change = (before: number, after: number) => {
    if (before === after) return 0
    // Two distant accidents look like a rotation, so only a whole stack may be rotated.
    return after > 0 && orders[after]?.rotation ? Number.POSITIVE_INFINITY : ANOTHER_ORDER
  }
  const before = (at: number, order: number) =>
    cheapest(forth.map((costs, other) => (costs[at] ?? 0) + change(other, order)))
  const after = (at: number, order: number) =>
    cheapest(back.map((costs, other) => (costs[at] ?? 0) + change(order, other)))

  for (let start = 0; start < count; start += 1)
    for (const [order, stack] of inOrders.entries()) {
      const [costs, begins] = [forth[order] as Float64Array, from[order] as Int32Array]
      const sum = before(start, order).cost
      const cost = costOf(blankPages)
      for (let end = start + 1; end <= Math.min(count, start + longest); end += 1) {
        const whole = sum + cost.add(stack[end - 1] as PageKind)
        if (whole >= (costs[end] ?? 0)) continue
        costs[end] = whole
        begins[end] = start
      }
    }
  for (let start = count - 1; start >= 0; start -= 1)
    for (const [order, stack] of inOrders.entries()) {
      const costs = back[order] as Float64Array
      const cost = costOf(blankPages)
      for (let end = start + 1; end <= Math.min(count, start + longest); end += 1)
        costs[start] = Math.min(costs[start] ?? 0, cost.add(stack[end - 1] as PageKind) + after(end, order).cost)
    }

  const starts = [count]
  let { order, cost: total } = cheapest(forth.map((costs) => costs[count] ?? 0))
  for (let at = count; at > 0; ) {
    at = from[order]?.[at] ?? 0
    starts.unshift(at)
    order = before(at, order).order
  }
  const extra = (at: number) =>
    Math.min(...back.map((costs, order) => before(at, order).cost + (costs[at] ?? 0))) - total
  return { starts, extra }
}

function cheapest(costs: number[]): { order: number; cost: number } {
  const cost = Math.min(...costs)
  return { order: costs.indexOf(cost), cost }
}

/** Pages that a nearly as good split gives to the neighbour; `extra` is the additional cost of a cut. */
function doubtfulPages(starts: readonly number[], extra: (at: number) => number): Set<number> {
  const doubtful = new Set<number>()
  for (const [i, start] of starts.slice(0, -1).entries()) {
    const end = starts[i + 1] ?? start
    for (let at = start + 1; at < end; at += 1) {
      if (extra(at) > AS_GOOD) continue
      const [low, high] = at - start <= end - at ? [start, at] : [at, end]
      for (let index = low; index < high; index += 1) doubtful.add(index)
    }
  }
  return doubtful
}

function describe(
  kinds: readonly PageKind[],
  start: number,
  end: number,
  blankPages: number,
  doubtful: ReadonlySet<number>,
): SplitPaper {
  const pages: SplitPage[] = []
  const counts = new Map<number, number>()
  const order: number[] = []
  for (let index = start; index < end; index += 1) {
    const kind = kinds[index]
    if (!kind) continue
    const doubts: string[] = []
    const { blankPage, sure, empty } = kind
    if (sure && blankPage !== null) {
      counts.set(blankPage, (counts.get(blankPage) ?? 0) + 1)
      order.push(blankPage)
      if ((counts.get(blankPage) ?? 0) > 1)
        doubts.push(`${capitalized(page(blankPage))} is in this paper twice. Drop one, or move it to its own paper.`)
    } else if (!empty)
      doubts.push(
        blankPage === null
          ? 'This page is not in the blank. Drop it if it does not belong to this class, or keep it as an extra sheet.'
          : `This may be ${page(blankPage)}, but it was not recognised for sure.`,
      )
    if (doubtful.has(index) && !empty) doubts.push('This page may belong to the paper before or after this one.')
    pages.push({ index, doubts })
  }
  // Either of two copies may belong to another paper.
  for (const one of pages) {
    const kind = kinds[one.index]
    const number = kind?.sure ? kind.blankPage : null
    if (number !== null && number !== undefined && (counts.get(number) ?? 0) > 1 && one.doubts.length === 0)
      one.doubts.push(`${capitalized(page(number))} is in this paper twice. Drop one, or move it to its own paper.`)
  }
  const missing = Array.from({ length: blankPages }, (_, i) => i + 1).filter((number) => !counts.has(number))
  const unknown = pages.filter(({ index }) => !kinds[index]?.sure && !kinds[index]?.empty).length
  const notes: string[] = []
  if (missing.length > 0 && missing.length > unknown) notes.push(missingNote(missing))
  if (order.some((number, i) => number < (order[i - 1] ?? 0)) && counts.size === order.length)
    notes.push('Its pages were scanned in another order and were put in order.')
  return { pages: inOrder(pages, kinds), notes }
}

/** Unknown pages stay behind the page they followed or, in a paper lying back to front, the one they lay on. */
function inOrder(pages: readonly SplitPage[], kinds: readonly PageKind[]): SplitPage[] {
  const numberOf = ({ index }: SplitPage) => (kinds[index]?.sure ? (kinds[index]?.blankPage ?? null) : null)
  const known = pages.flatMap((one) => numberOf(one) ?? [])
  const descents = known.filter((number, i) => number < (known[i - 1] ?? 0)).length
  let last = 0
  const keyed = (descents > (known.length - 1) / 2 ? pages.toReversed() : pages).map((one) => {
    last = numberOf(one) ?? last
    return { one, key: last }
  })
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
}

export function splitByCount(kinds: readonly PageKind[], pagesPerPaper: number): SplitResult {
  const papers: SplitPaper[] = []
  for (let start = 0; start < kinds.length; start += pagesPerPaper) {
    const end = Math.min(kinds.length, start + pagesPerPaper)
    papers.push(asCut(kinds, start, end, pagesPerPaper))
  }
  return { papers, dropped: [] }
}

export function asCut(kinds: readonly PageKind[], start: number, end: number, expected: number | null): SplitPaper {
  const notes: string[] = []
  if (expected !== null && end - start < expected)
    notes.push(`This paper has ${end - start} of ${expected} pages. Check where pages are missing before it.`)
  const seen = new Set<number>()
  const pages = Array.from({ length: end - start }, (_, i): SplitPage => {
    const index = start + i
    const kind = kinds[index]
    const doubts: string[] = []
    if (kind?.sure && kind.blankPage !== null) {
      if (i > 0 && kind.blankPage === 1) doubts.push('This is page 1 of the blank: another paper may begin here.')
      else if (seen.has(kind.blankPage)) doubts.push(`${capitalized(page(kind.blankPage))} is in this paper twice.`)
      else if (i === 0 && kind.blankPage !== 1 && [...kinds].some((one) => one.sure && one.blankPage === 1))
        doubts.push(`This is ${page(kind.blankPage)} of the blank, and not where a paper begins.`)
      seen.add(kind.blankPage)
    }
    return { index, doubts }
  })
  return { pages, notes }
}

export function splitAtEmptyPages(kinds: readonly PageKind[], blankPages: number | null): SplitResult {
  const papers: SplitPaper[] = []
  const dropped: number[] = []
  let start = 0
  for (let at = 0; at <= kinds.length; at += 1) {
    if (at < kinds.length && !kinds[at]?.empty) continue
    if (at > start) {
      const paper = asCut(kinds, start, at, null)
      if (blankPages !== null && at - start !== blankPages)
        paper.notes.push(`This paper has ${at - start} of ${blankPages} pages.`)
      papers.push(paper)
    }
    if (at < kinds.length) dropped.push(at)
    start = at + 1
  }
  return { papers, dropped }
}

interface PageOrder {
  /** From 1: `[4, 3, 2, 1]`. */
  places: number[]
  /** Pages follow each other as in the blank, from another one on: only the ends of a stack differ. */
  rotation: boolean
}

function pageOrders(blankPages: number): PageOrder[] {
  const pages = Array.from({ length: blankPages }, (_, i) => i + 1)
  const sheets = Array.from({ length: Math.ceil(blankPages / 2) }, (_, i) => pages.slice(2 * i, 2 * i + 2))
  const orders = [
    pages,
    pages.toReversed(),
    // Double-sided sheets: each with its back first, or the last sheet first.
    sheets.flatMap((sheet) => sheet.toReversed()),
    sheets.toReversed().flat(),
    // The first page below the others, or the last above them.
    [...pages.slice(1), 1],
    [blankPages, ...pages.slice(0, -1)],
  ]
  const distinct = new Map(orders.map((order) => [order.join(), order]))
  return [...distinct.values()].map((order) => ({
    places: pages.map((page) => order.indexOf(page) + 1),
    // Two pages are a sheet with its back first, as some of a class may lie.
    rotation: blankPages > 2 && order.every((page, i) => (order[i + 1] ?? order[0]) === (page % blankPages) + 1),
  }))
}
