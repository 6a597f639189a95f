import type { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { bottomOf, normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import type { PrintedLine, PrintedRubric } from '../../layout/printed-lines.ts'
import { pathOfNumber } from '../../layout/question-labels.ts'
import { type Row, toRow } from '../../layout/rows.ts'
import { followSheetLabels } from './follow-sheet-labels.ts'
import { findForeignPages } from './foreign-print.ts'
import { sheetSegments } from './sheet-segments.ts'

export const ANSWER_LABEL = /^\s*(?:answer|ans)\s*[:.]\s*/i

/** Null before the first label. */
export type SheetAnswers = { question: string; text: string }[] | null

/** Print of so many letters shows that a page is one of the blank's. */
const LEAST_PRINT = 15

export interface OwnSheets {
  found: Map<PlacedLine, SheetAnswers>
  otherPapers: OtherPaper[]
  blankPages: ReadonlySet<number>
  foreign: ReturnType<typeof findForeignPages>
}

/** Pages without the blank's questions are read by the student's numbers. */
export function readOwnSheets(
  lines: PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  { lines: prints, questions }: PrintedRubric,
  loose: Set<PlacedLine>,
): OwnSheets {
  const blankPages = pagesOfBlank(lines, matches, prints)
  const foreign = findForeignPages(lines, matches, prints, blankPages)
  const own = lines.filter(
    (line) =>
      !blankPages.has(line.page) &&
      !foreign.pages.has(line.page) &&
      !loose.has(line) &&
      !repeatsFurniture(line, prints),
  )
  const paths = questions.map(({ number }) => pathOfNumber(number))
  const followed = followSheetLabels(sheetSegments(own), paths)
  const found = new Map<PlacedLine, SheetAnswers>(
    lines.flatMap((line) => (foreign.pages.has(line.page) ? [[line, []]] : [])),
  )
  // A sheet that numbers nothing may go on with the answer before it, or hold the only one.
  if (!followed.some(({ labelled }) => labelled)) return { found, otherPapers: [], blankPages, foreign }
  const otherPapers = findOtherPapers(own.map(toRow), paths)
  for (const line of own) found.set(line, [])
  for (const { segment, index, labelled, end } of followed) {
    const { line } = segment
    if (otherPapers.some(({ page }) => page === line.page)) continue
    const question = questions[index]
    if (!question) {
      found.set(line, null)
      continue
    }
    const text = labelled ? answerAfterLabel(segment.text.slice(end)) : segment.text.replace(ANSWER_LABEL, '').trim()
    const pieces = found.get(line) ?? []
    const last = pieces.at(-1)
    if (last?.question === question.id) last.text = `${last.text} ${text}`.trim()
    else found.set(line, [...pieces, { question: question.id, text }])
  }
  return { found, otherPapers, blankPages, foreign }
}

/** “= 12”, “[2] 16 hPa”: what students copy with a label, or set it off by. */
const answerAfterLabel = (text: string): string =>
  text
    .replace(
      /^\s*(?:\[\s*\d{1,2}\s*(?:marks?|points?|pts?)?\s*\]|\(\s*\d{1,2}\s*(?:marks?|points?|pts?)\s*\))\s*(?=\S)/i,
      '',
    )
    .replace(/^\s*[=→]\s*/u, '')
    .replace(ANSWER_LABEL, '')
    .replace(/[\s,;|]+$/, '')
    .trim()

/** Those that print the blank's questions, or little but its print, as covers do. */
function pagesOfBlank(
  lines: PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  prints: PrintedLine[],
): Set<number> {
  const letters = new Map<number, { all: number; printed: number; questions: number }>()
  for (const [at, line] of lines.entries()) {
    const page = letters.get(line.page) ?? { all: 0, printed: 0, questions: 0 }
    letters.set(line.page, page)
    const length = normalizeText(line.text).length
    page.all += length
    const match = matches.get(at)
    if (!match || match.kind === 'begins') continue
    page.printed += length
    if (prints[match.printedIndex]?.question) page.questions += length
  }
  return new Set(
    [...letters].flatMap(([page, { all, printed, questions }]) =>
      questions >= LEAST_PRINT || (printed >= LEAST_PRINT && printed * 2 > all) ? [page] : [],
    ),
  )
}

export interface OtherPaper {
  page: number
  first: number
}

const FEWEST_REPEATS = 4
const MOST_REPEATED = 0.6

/** Sheets repeating nearly all numbers of an earlier one: two papers are in the file. */
function findOtherPapers(rows: readonly Row[], paths: readonly string[][]): OtherPaper[] {
  const numbers = new Set(paths.map((path) => path.join(' ')))
  const seen = new Map<string, number>()
  const others: OtherPaper[] = []
  for (const [page, own] of Map.groupBy(rows, ({ line }) => line.page)) {
    const found = own.flatMap(({ labels }) => {
      const path = labels.map(({ value }) => value)
      // “Q1 a barometer”: the a is none of the number.
      return path.map((_, i) => path.slice(0, path.length - i).join(' ')).find((one) => numbers.has(one)) ?? []
    })
    const again = found.flatMap((path) => seen.get(path) ?? [])
    const [first] = again
    if (first !== undefined && again.length >= FEWEST_REPEATS && again.length >= MOST_REPEATED * seen.size)
      others.push({ page, first })
    else for (const path of found) seen.set(path, page)
  }
  return others
}

/** The blank's headers and footers also occur on extra pages. */
export function repeatsFurniture(line: PlacedLine, prints: PrintedLine[]): boolean {
  const inMargin = line.box.y < line.pageHeight * 0.1 || bottomOf(line) > line.pageHeight * 0.92
  if (!inMargin) return false
  const same = (text: string) => text.toLowerCase().replace(/[\d\s_]+/g, '')
  return prints.some((print) => print.question === null && same(print.text) === same(line.text))
}
