import { LabelFollower, pathOfNumber } from '../layout/label-follower.ts'
import { matchPrintedLines } from '../layout/match-printed-lines.ts'
import { bottomOf, findPageFurniture, normalizeText, type PlacedLine } from '../layout/paper-lines.ts'
import type { PrintedLine, PrintedRubric } from '../layout/printed-lines.ts'
import { type Row, toRow } from '../layout/rows.ts'
import { BlankPlaces, middleOf } from './blank-places.ts'
import { LabelReader } from './label-reader.ts'
import { isMarkText } from './marked-options.ts'
import { PrintedTextTracker } from './printed-text-tracker.ts'
import type { RegisteredPage } from './registered-pages.ts'
import { removePrintedText } from './remove-printed-text.ts'

/** What a student wrote on one line. */
export interface Piece {
  line: PlacedLine
  text: string
}

/** Students copy the sheet's “Answer:”. */
const ANSWER_LABEL = /^\s*(?:answer|ans)\s*[:.]\s*/i

/** Gives each line of a paper to the question it answers. */
export function assignLines(
  { lines: prints, questions }: PrintedRubric,
  lines: PlacedLine[],
  registered: readonly RegisteredPage[] = [],
): { pieces: Map<string, Piece[]>; found: Set<string>; otherPapers: OtherPaper[] } {
  const typed = lines.filter((line) => line.source !== 'field' && line.source !== 'annotation')
  const byPlace = new Map(registered.filter((one) => one.byPlace).map((one) => [one.page, one]))
  const placed = lines.filter(
    (line) => (line.source === 'field' || line.source === 'annotation') && !byPlace.has(line.page),
  )
  const matches = matchPrintedLines(
    prints.map((print) => print.text),
    typed.map((line) => line.text),
  )
  const loose = findPageFurniture(typed)
  const anchored = new Set<string>()
  for (const { printedIndex } of matches.values()) {
    const question = prints[printedIndex]?.question
    if (question) anchored.add(question)
  }
  const labels = new LabelReader(questions, anchored, typed)
  const places = new BlankPlaces(questions, prints, typed, matches)
  const pieces: { question: string; order: number; piece: Piece }[] = []
  const anchors: { question: string; line: PlacedLine }[] = []
  const flow = new PrintedTextTracker(prints)
  const { found: sheets, otherPapers } = readOwnSheets(typed, matches, { lines: prints, questions }, loose)
  let current: string | null = null
  const give = (question: string, order: number, line: PlacedLine, text: string) =>
    pieces.push({ question: places.drawnAt(line) ?? question, order, piece: { line, text } })
  const readPages = new Set<number>()
  typed.forEach((line, order) => {
    const page = byPlace.get(line.page)
    if (page) {
      if (readPages.has(page.page)) return
      readPages.add(page.page)
      for (const { question, line: written } of page.writings) {
        const text = written.text.replace(ANSWER_LABEL, '')
        if (question && isWriting(text)) pieces.push({ question, order, piece: { line: written, text } })
      }
      for (const question of page.questions) anchored.add(question)
      // What follows on a sheet without print goes on with the last answer.
      current = questions.findLast(({ id }) => page.questions.has(id))?.id ?? current
      return
    }
    const onSheet = sheets.get(line)
    if (onSheet !== undefined) {
      if (onSheet === null) return
      if (onSheet.question !== current) anchors.push({ question: onSheet.question, line })
      current = onSheet.question
      if (onSheet.text !== '') pieces.push({ question: current, order, piece: { line, text: onSheet.text } })
      return
    }
    const match = matches.get(order)
    if (match) {
      const print = prints[match.printedIndex]
      if (!print) return
      // Headers come back on every page and change nothing; their blanks hold names, not answers.
      if (print.question === null) return
      if (print.question !== current) anchors.push({ question: print.question, line })
      current = print.question
      flow.startAt(match, line.text)
      const text = removePrintedText(line.text, print.text, match.kind, line.source !== 'text')
      if (text !== '') give(current, order, line, text)
      return
    }
    if (loose.has(line) || repeatsFurniture(line, prints) || isMarkForMarkers(line.text)) return
    const beyond = flow.remainderAfterPrint(line.text)
    if (beyond !== null) {
      if (current && beyond !== '') give(current, order, line, beyond)
      return
    }
    const drawn = places.drawnAt(line)
    if (drawn) {
      anchored.add(drawn)
      give(drawn, order, line, line.text.replace(ANSWER_LABEL, ''))
      return
    }
    const label = labels.read(line.text, current)
    if (label) {
      current = label.question
      anchors.push({ question: current, line })
      if (label.rest !== '') pieces.push({ question: current, order, piece: { line, text: label.rest } })
    } else if (current && isWriting(line.text)) {
      pieces.push({ question: current, order, piece: { line, text: withoutMark(line).replace(ANSWER_LABEL, '') } })
    }
  })
  const [only] = questions
  if (anchors.length === 0 && questions.length === 1 && only) {
    for (const [order, line] of typed.entries()) {
      if (!loose.has(line)) pieces.push({ question: only.id, order, piece: { line, text: line.text } })
    }
    if (pieces.length > 0) anchored.add(only.id)
  }
  for (const line of placed) {
    if (isMarkText(line.text)) continue
    const question = places.questionAt(line) ?? questionAbove(line, anchors)
    if (!question || isInNameRow(line, typed, loose)) continue
    anchored.add(question)
    const order = typed.findLastIndex(
      (other) => other.page < line.page || (other.page === line.page && other.box.y <= line.box.y),
    )
    pieces.push({ question, order: order + 0.5, piece: { line, text: line.text } })
  }
  for (const { question } of anchors) anchored.add(question)
  const byQuestion = new Map<string, Piece[]>()
  for (const { question, piece } of pieces.sort(
    (a, b) => a.order - b.order || a.piece.line.box.y - b.piece.line.box.y || a.piece.line.box.x - b.piece.line.box.x,
  )) {
    const own = byQuestion.get(question)
    if (own) own.push(piece)
    else byQuestion.set(question, [piece])
  }
  return { pieces: byQuestion, found: anchored, otherPapers }
}

const isWriting = (text: string): boolean => /[\p{L}\p{N}✓✔☑☒√∞=<>]/u.test(text)

/** Print of so many letters shows that a page is one of the blank's. */
const LEAST_PRINT = 15

/** Pages without the blank's questions: what is written there goes by the numbers the student set. Null: belongs to no question. */
function readOwnSheets(
  lines: PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  { lines: prints, questions }: PrintedRubric,
  loose: Set<PlacedLine>,
): { found: Map<PlacedLine, { question: string; text: string } | null>; otherPapers: OtherPaper[] } {
  const blankPages = pagesOfBlank(lines, matches, prints)
  const own = lines.filter((line) => !blankPages.has(line.page) && !loose.has(line) && !repeatsFurniture(line, prints))
  const rows = own.map(toRow)
  const labels = new LabelFollower(
    questions.map(({ number }) => pathOfNumber(number)),
    rows,
    true,
  )
  const found = new Map<PlacedLine, { question: string; text: string } | null>()
  const followed = rows.map((row) => ({ row, label: labels.follow(row), index: labels.index }))
  // A sheet that numbers nothing may go on with the answer before it, or hold the only one.
  if (!followed.some(({ label }) => label)) return { found, otherPapers: [] }
  const otherPapers = findOtherPapers(
    rows,
    questions.map(({ number }) => pathOfNumber(number)),
  )
  for (const { row, label, index } of followed) {
    if (otherPapers.some(({ page }) => page === row.line.page)) {
      found.set(row.line, null)
      continue
    }
    const question = questions[index]
    const text = row.text
      .slice(label?.end ?? 0)
      .replace(ANSWER_LABEL, '')
      .trim()
    found.set(row.line, question ? { question: question.id, text } : null)
  }
  return { found, otherPapers }
}

/** Pages that print questions of the blank, or little but what the blank prints, as covers do. */
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

/** A sheet that answers again what an earlier one did. */
interface OtherPaper {
  page: number
  first: number
}

/** So many answers must be numbered again. */
const FEWEST_REPEATS = 4
/** Of all those numbered before. */
const MOST_REPEATED = 0.6

/** Sheets whose numbers are almost all those of an earlier sheet: two students' papers went into one file. */
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
function repeatsFurniture(line: PlacedLine, prints: PrintedLine[]): boolean {
  const inMargin = line.box.y < line.pageHeight * 0.1 || bottomOf(line) > line.pageHeight * 0.92
  if (!inMargin) return false
  const same = (text: string) => text.toLowerCase().replace(/[\d\s_]+/g, '')
  return prints.some((print) => print.question === null && same(print.text) === same(line.text))
}

/** Dots and “(2)” at their end: print that has too few letters to be matched. */
const isMarkForMarkers = (text: string): boolean =>
  /^[\s_.…]*[([]\s*\d{1,2}\s*(?:marks?|points?|pts?)?\s*[)\]]\s*$/i.test(text)

/** What is written on dots that end in “(2)” at the margin. */
function withoutMark({ text, cells = [], pageWidth }: PlacedLine): string {
  const last = cells.length > 1 ? cells.at(-1) : undefined
  if (!last || last.x < pageWidth * 0.75 || !isMarkForMarkers(last.text)) return text
  return text.slice(0, text.lastIndexOf(last.text)).trim()
}

/** “Name: [field]”: what is filled in beside a name list is no answer. */
function isInNameRow(line: PlacedLine, typed: PlacedLine[], loose: Set<PlacedLine>): boolean {
  const middle = line.box.y + line.box.height / 2
  return typed.some(
    (other) => loose.has(other) && other.page === line.page && middle > other.box.y - 3 && middle < bottomOf(other) + 3,
  )
}

/** Where form fields and notes belong on a page that is not laid out like the blank: below an anchor. */
function questionAbove(line: PlacedLine, anchors: { question: string; line: PlacedLine }[]): string | null {
  const { x, y } = middleOf(line)
  const above = anchors.filter(({ line: anchor }) => anchor.page === line.page && anchor.box.y <= y + 2)
  // Beside columns: an anchor that starts right of the field is another column's.
  const near = above.filter(({ line: anchor }) => anchor.box.x <= x)
  const last = (near.length > 0 ? near : above).sort((a, b) => a.line.box.y - b.line.box.y).at(-1)
  if (last) return last.question
  return anchors.filter(({ line: anchor }) => anchor.page < line.page).at(-1)?.question ?? null
}
