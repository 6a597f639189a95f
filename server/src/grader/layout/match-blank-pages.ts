import type { Page, Paper } from '@assay/shared/papers.ts'
import { median } from '../../lib/numbers.ts'
import { printPairs } from './match-printed-lines.ts'
import { type PageRegistration, registerByCode, registerPage } from './page-registration.ts'
import { isNameFieldLine, normalizeText, type PlacedLine, visibleLines } from './paper-lines.ts'

export interface MatchedBlankPage {
  number: number
  /** Maps a height on the blank's page to the paper's, in points; several where it is uncertain. */
  toPaperHeights(y: number): number[]
  /** Null for a page that is no scan, or shows too little print. */
  registration: PageRegistration | null
}

const ENOUGH_PRINT = 20
/** A smaller share of the best page's matches comes by chance. */
const CHANCE = 0.1
const MOST_SHIFT = 0.15 // of the page's height
const UPRIGHT = 0.45

/** The blank's pages that each page repeats, by print; without print (not `known`) it may be any unclaimed one. */
export function matchBlankPages(
  paper: Paper,
  blank: Paper,
): Map<number, { known: boolean; pages: MatchedBlankPage[] }> {
  const prints = uniquePrintedLines(visibleLines(blank))
  const lines = Map.groupBy(visibleLines(paper), ({ page }) => page)
  const known = new Map(
    paper.pages.map((page) => [page.number, matchedPagesOf(page, lines.get(page.number) ?? [], prints, blank)]),
  )
  const elsewhere = new Set([...known.values()].flat().map(({ number }) => number))
  const left = blank.pages.filter(({ number }) => !elsewhere.has(number))
  return new Map(
    paper.pages.map(({ number, height }) => {
      const pages = known.get(number) ?? []
      const maybe = left.map((page) => matchedPage(page.number, height, blank, []))
      return [number, pages.length > 0 ? { known: true, pages } : { known: false, pages: maybe }]
    }),
  )
}

function matchedPagesOf(page: Page, lines: PlacedLine[], prints: PlacedLine[], blank: Paper): MatchedBlankPage[] {
  const byCode = matchedByCode(page, lines, prints, blank)
  if (byCode) return [byCode]
  const { height } = page
  const matches = Map.groupBy(printPairs(prints, lines), ({ printed }) => printed.page)
  const found = [...matches].map(([number, pairs]) => ({
    number,
    pairs,
    letters: pairs.reduce((sum, { printed }) => sum + normalizeText(printed.text).length, 0),
  }))
  const most = Math.max(0, ...found.map(({ letters }) => letters))
  return found
    .filter(({ letters }) => letters >= ENOUGH_PRINT && letters >= most * CHANCE)
    .map(({ number, pairs }) => {
      const shifts = pairs.map(({ line, printed }) => line.box.y - (printed.box.y * height) / printed.pageHeight)
      const inWords = pairs.filter(({ line }) => line.words)
      return matchedPage(number, height, blank, shifts, registerPage(inWords, height))
    })
}

function matchedByCode(page: Page, lines: PlacedLine[], prints: PlacedLine[], blank: Paper): MatchedBlankPage | null {
  const { printed_page, to_blank } = page
  const of = blank.pages.find(({ number }) => number === printed_page)
  // Text in the file is told from print by its words.
  if (!of || !to_blank || lines.some(({ source }) => source === 'text')) return null
  const own = prints.filter(({ page: on }) => on === of.number)
  const registration = registerByCode(to_blank, lines, own, page.height)
  if (!registration) return null
  return { number: of.number, toPaperHeights: (y) => [registration.toScan(of.width / 2, y)[1]], registration }
}

function matchedPage(
  number: number,
  height: number,
  blank: Paper,
  shifts: readonly number[],
  registration: PageRegistration | null = null,
): MatchedBlankPage {
  const scale = height / (blank.pages.find((page) => page.number === number)?.height ?? height)
  const middle = median(shifts)
  const shift = Math.abs(middle) > height * MOST_SHIFT ? 0 : middle
  // One line may have been matched at a wrong place.
  const both = shifts.length > 1 ? [shift] : [...new Set([0, shift])]
  return { number, toPaperHeights: (y) => both.map((by) => y * scale + by), registration }
}

/** A title on every page identifies none. */
function uniquePrintedLines(lines: PlacedLine[]): PlacedLine[] {
  const keyOf = ({ text }: PlacedLine) => normalizeText(text).replace(/\d+/g, '#')
  const pages = new Map<string, Set<number>>()
  for (const line of lines) pages.set(keyOf(line), (pages.get(keyOf(line)) ?? new Set()).add(line.page))
  return lines.filter((line) => !isNameFieldLine(line.text) && pages.get(keyOf(line))?.size === 1)
}

/** Whether OCR could make nothing of a page, as of one that lies on its side or upside down. */
export function mayBeRotated({ lines }: Page): boolean {
  const seen = lines.filter(({ hidden }) => !hidden)
  if (seen.some(({ source }) => source !== 'ocr')) return false
  const letters = seen.reduce((sum, { text }) => sum + text.length, 0)
  const sure = seen.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  return sure < letters * UPRIGHT || letters === 0
}
