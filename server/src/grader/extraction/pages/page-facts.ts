import type { Page, Paper } from '@assay/shared/papers.ts'
import type { Answer, PageFacts } from '../../grader.ts'
import type { matchBlankPages } from '../../layout/match-blank-pages.ts'
import { normalizeText, visibleLines } from '../../layout/paper-lines.ts'
import { trigramSimilarity } from '../../text/text-vector.ts'

/** Share of the shorter page's printed lines that both copies of a page have. */
const SAME_PRINT = 0.5
const SAME_WRITING = 0.7
const SAME_SHEET = 0.95
const LEAST_LETTERS = 60
/** As a share of words; students' own sheets in exams show less than a quarter. */
const LEAST_PRINT = 0.4

export function pageFacts(
  paper: Paper,
  blank: Paper,
  matched: ReturnType<typeof matchBlankPages>,
): { of_paper: PageFacts[]; of_blank: number[] } {
  const print = new Set(visibleLines(blank).map(({ text }) => normalizeText(text)))
  const wordsOfBlank = new Map(blank.pages.map((page) => [page.number, wordsOf(page)]))
  const pages = paper.pages.map((page) => {
    const known = matched.get(page.number)
    const blank_pages = known?.known ? known.pages.map(({ number }) => number) : []
    const own_sheet = !isPrintOf(blank_pages, page, wordsOfBlank)
    return { page, blank_pages, own_sheet, ...textOf(page, print) }
  })
  return {
    of_blank: blank.pages.filter((page) => !isEmpty(page)).map(({ number }) => number),
    of_paper: pages.map((one, i) => {
      const again = pages.slice(0, i).find((first) => isAgain(first, one))
      return {
        page: one.page.number,
        blank_pages: one.blank_pages,
        ...(one.own_sheet ? { own_sheet: true as const } : {}),
        ...(isEmpty(one.page) ? { empty: true as const } : {}),
        ...(one.page.damaged ? { damaged: true as const } : {}),
        ...(again ? { repeats: again.page.number, same: trigramSimilarity(again.own, one.own) >= SAME_WRITING } : {}),
      }
    }),
  }
}

export const answeredPages = (answers: readonly Answer[]): number[] => [
  ...new Set(answers.flatMap(({ evidence }) => evidence.map(({ page }) => page))),
]

interface PageText {
  blank_pages: number[]
  printed: ReadonlySet<string>
  own: string
}

function isAgain(first: PageText, second: PageText): boolean {
  const [same, other] = [first.blank_pages, second.blank_pages]
  if (same.length === 0 && other.length === 0)
    return (
      Math.min(first.own.length, second.own.length) >= LEAST_LETTERS &&
      trigramSimilarity(first.own, second.own) >= SAME_SHEET
    )
  if (same.length !== 1 || other.length !== 1 || same[0] !== other[0]) return false
  const shared = [...second.printed].filter((line) => first.printed.has(line)).length
  const fewer = Math.min(first.printed.size, second.printed.size)
  return fewer > 1 && shared >= SAME_PRINT * fewer
}

/** A page whose print runs over two of the blank's may show little of each. */
function isPrintOf(blankPages: readonly number[], page: Page, ofBlank: ReadonlyMap<number, ReadonlySet<string>>) {
  const [only, more] = blankPages
  const print = (only === undefined ? undefined : ofBlank.get(only)) ?? new Set()
  if (more !== undefined || print.size === 0) return true
  const read = wordsOf(page)
  return [...print].filter((word) => read.has(word)).length >= LEAST_PRINT * print.size
}

const wordsOf = ({ lines }: Page): Set<string> =>
  new Set(
    lines
      .filter(({ hidden }) => !hidden)
      .flatMap(({ text }) => normalizeText(text).split(' '))
      .filter((word) => word.length > 3),
  )

const isEmpty = ({ lines, ink = [] }: Page) => lines.every(({ hidden }) => hidden) && ink.length === 0

function textOf(page: Page, print: ReadonlySet<string>): Pick<PageText, 'printed' | 'own'> {
  const lines = page.lines.filter(({ hidden }) => !hidden).map(({ text }) => normalizeText(text))
  return {
    printed: new Set(lines.filter((line) => print.has(line) && line.length > 3)),
    own: lines.filter((line) => !print.has(line)).join(' '),
  }
}
