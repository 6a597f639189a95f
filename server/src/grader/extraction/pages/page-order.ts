import type { Paper } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import type { ExtractedSubmission } from '../../grader.ts'
import { matchPrintedLines, type PrintedLine } from '../../layout/match-printed-lines.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'

const PAGE_LABEL = /^\W*page\s+(\d{1,3})(?:\s*(?:of|\/)\s*\d{1,3})?\W*$/i

/** By numbers in the file. */
interface PageOrder {
  order: number[]
  certain: boolean
}

/** By codes, else by page numbers and the blank's print. Null when in order. */
export function detectPageOrder(paper: Paper, prints: readonly PrintedLine[]): PageOrder | null {
  if (paper.pages.length < 2) return null
  const byPage = Map.groupBy(visibleLines(paper), ({ page }) => page)
  const numbers = paper.pages.map(({ number }) => number)
  const byLabel = ordered(numbers, (number) => labelOf(byPage.get(number) ?? []))
  const byPrint = ordered(numbers, (number) => firstPrint(byPage.get(number) ?? [], prints))
  const byCode = ordered(numbers, (number) => paper.pages.find((page) => page.number === number)?.printed_page ?? null)
  const order = byCode ?? byLabel ?? byPrint
  if (!order) return null
  const sure = byCode !== null || !byLabel || !byPrint || same(byLabel, byPrint)
  return same(order, numbers) && sure ? null : { order: sure ? order : numbers, certain: sure }
}

function labelOf(lines: PlacedLine[]): number | null {
  for (const { text, box, pageHeight } of lines) {
    if (box.y > pageHeight * 0.12 && box.y < pageHeight * 0.88) continue
    const match = PAGE_LABEL.exec(text)
    if (match) return Number(match[1])
  }
  return null
}

function firstPrint(lines: PlacedLine[], prints: readonly PrintedLine[]): number | null {
  const matches = matchPrintedLines(
    prints.map(({ text }) => text),
    lines.map(({ text }) => text),
  )
  const found = [...matches.values()].flatMap(({ printedIndex }) =>
    prints[printedIndex]?.question ? [printedIndex] : [],
  )
  return found.length === 0 ? null : Math.min(...found)
}

/** Pages without a key follow the one before; null where fewer than two have one, or two have the same. */
function ordered(numbers: number[], keyOf: (number: number) => number | null): number[] | null {
  const groups: { key: number; pages: number[] }[] = []
  const first: number[] = []
  for (const number of numbers) {
    const key = keyOf(number)
    if (key !== null) groups.push({ key, pages: [number] })
    else (groups.at(-1)?.pages ?? first).push(number)
  }
  if (groups.length < 2 || new Set(groups.map(({ key }) => key)).size < groups.length) return null
  return [...first, ...groups.sort((a, b) => a.key - b.key).flatMap(({ pages }) => pages)]
}

const same = (a: number[], b: number[]) => a.every((number, i) => number === b[i])

export function reorderPages(paper: Paper, order: readonly number[]): Paper {
  return {
    pages: order.flatMap((number, i) => {
      const page = paper.pages.find((one) => one.number === number)
      return page ? [{ ...page, number: i + 1 }] : []
    }),
  }
}

const toFilePage =
  (order: readonly number[]) =>
  <T extends { page: number }>(place: T): T => ({ ...place, page: order[place.page - 1] ?? place.page })

export function regionsInFileOrder(rubric: Rubric, order: readonly number[] | undefined): Rubric {
  if (!order) return rubric
  const filed = toFilePage(order)
  const questions = rubric.questions.map((question) => ({ ...question, regions: question.regions.map(filed) }))
  return { ...rubric, questions }
}

export const answerSpaces = ({ regions }: Pick<Question, 'regions'>, order?: readonly number[]) =>
  order ? regions.map(toFilePage(order)) : regions

export function answersInFileOrder(extracted: ExtractedSubmission, order: readonly number[]): ExtractedSubmission {
  const filed = toFilePage(order)
  return {
    ...extracted,
    page_order: [...order],
    ...(extracted.owner_hints ? { owner_hints: extracted.owner_hints.map(filed) } : {}),
    answers: extracted.answers.map((answer) => ({ ...answer, evidence: answer.evidence.map(filed) })),
    warnings: extracted.warnings.map((warning) =>
      warning.evidence ? { ...warning, evidence: warning.evidence.map(filed) } : warning,
    ),
  }
}
