import { matchPrintedLines, type PrintedRubric } from '../layout/match-printed-lines.ts'
import { bottomOf, findPageFurniture, normalizeText, type PlacedLine } from '../layout/paper-lines.ts'
import { isMarkText } from './ink/marked-options.ts'
import type { RegisteredPage } from './pages/registered-pages.ts'
import { BlankRegions, middleOf } from './print/blank-regions.ts'
import { isOtherVersion, PrintedTextTracker, removePrintedText } from './print/remove-printed-text.ts'
import { labelReader } from './sheets/label-reader.ts'
import { ANSWER_LABEL, type OtherPaper, type OwnSheets, readOwnSheets, repeatsFurniture } from './sheets/own-sheets.ts'

export interface Piece {
  line: PlacedLine
  text: string
}

export function assignLines(
  { lines: prints, questions }: PrintedRubric,
  lines: PlacedLine[],
  registered: readonly RegisteredPage[] = [],
): {
  pieces: Map<string, Piece[]>
  found: Set<string>
  otherPapers: OtherPaper[]
  foreign: OwnSheets['foreign']
  otherVersion: boolean
} {
  const typed = lines.filter((line) => line.source !== 'field' && line.source !== 'annotation')
  const byPlace = new Map(registered.filter((one) => one.byPlace).map((one) => [one.page, one]))
  const placed = lines.filter(
    (line) => (line.source === 'field' || line.source === 'annotation') && !byPlace.has(line.page),
  )
  const printed = new Set(prints.map((print) => normalizeText(print.text)))
  /** Print partly under a note; only an equal line, as other hidden text must not become an answer. */
  const isCoveredPrint = ({ whole }: PlacedLine) => whole !== undefined && printed.has(normalizeText(whole))
  const matches = matchPrintedLines(
    prints.map((print) => print.text),
    typed.map((line) => (isCoveredPrint(line) ? (line.whole ?? '') : line.text)),
  )
  const loose = findPageFurniture(typed)
  const anchored = new Set<string>()
  for (const { printedIndex } of matches.values()) {
    const question = prints[printedIndex]?.question
    if (question) anchored.add(question)
  }
  const readLabel = labelReader(questions, anchored, typed)
  const places = new BlankRegions(questions, prints, typed, matches)
  const pieces: { question: string; order: number; piece: Piece }[] = []
  const anchors: { question: string; line: PlacedLine }[] = []
  const flow = new PrintedTextTracker(prints)
  const {
    found: sheets,
    otherPapers,
    blankPages,
    foreign,
  } = readOwnSheets(typed, matches, { lines: prints, questions }, loose)
  const elsewhere = new AnswersElsewhere()
  let current: string | null = null
  const write = (question: string, order: number, line: PlacedLine, written: string) => {
    const text = elsewhere.withoutPointer(question, line, written)
    if (text !== '') pieces.push({ question, order, piece: { line, text } })
  }
  const give = (question: string, order: number, line: PlacedLine, text: string) =>
    write(places.drawnAt(line) ?? question, order, line, text)
  const readPages = new Set<number>()
  typed.forEach((line, order) => {
    const page = byPlace.get(line.page)
    if (page) {
      if (readPages.has(page.page)) return
      readPages.add(page.page)
      for (const { question, line: written } of page.writings) {
        const text = written.text.replace(ANSWER_LABEL, '')
        if (question && isWriting(text)) write(question, order, written, text)
      }
      for (const question of page.questions) anchored.add(question)
      current = questions.findLast(({ id }) => page.questions.has(id))?.id ?? current
      return
    }
    const pointedHere = blankPages.has(line.page) ? null : elsewhere.questionOnPage(line.page)
    const goneOnWith = elsewhere.questionGoneOnWith(line.text)
    if (goneOnWith) {
      current = goneOnWith
      return
    }
    const onSheet = sheets.get(line)
    if (onSheet === null) {
      // Before a sheet's first label there is a heading, or the rest of an answer.
      const question = pointedHere ?? (isSentence(line.text) ? current : null)
      if (question) write(question, order, line, line.text)
      return
    }
    if (onSheet !== undefined) {
      for (const { question, text } of onSheet) {
        if (question !== current) anchors.push({ question, line })
        current = question
        if (text !== '') write(question, order, line, text)
      }
      return
    }
    const match = matches.get(order)
    if (match) {
      const print = prints[match.printedIndex]
      if (!print) return
      // Headers come back on every page, and their blanks hold names, not answers.
      if (print.question === null) return
      if (print.question !== current) anchors.push({ question: print.question, line })
      current = print.question
      flow.startAt(match, line.text)
      if (isCoveredPrint(line)) return
      const text = removePrintedText(line.text, print.text, match.kind, line.source !== 'text')
      if (text !== '' && !isCopiedNumber(text, line)) give(current, order, line, text)
      return
    }
    if (loose.has(line) || repeatsFurniture(line, prints) || isMarkForMarkers(line.text)) return
    current = pointedHere ?? current
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
    const label = readLabel(line.text, current)
    if (label) {
      current = label.question
      anchors.push({ question: current, line })
      if (label.rest !== '') write(current, order, line, label.rest)
    } else if (current && isWriting(line.text)) write(current, order, line, withoutMark(line).replace(ANSWER_LABEL, ''))
  })
  const [only] = questions
  if (anchors.length === 0 && questions.length === 1 && only) {
    for (const [order, line] of typed.entries()) {
      if (!loose.has(line)) pieces.push({ question: only.id, order, piece: { line, text: line.text } })
    }
    if (pieces.length > 0) anchored.add(only.id)
  }
  for (const line of placed) {
    if (isMarkText(line.text) || foreign.pages.has(line.page)) continue
    const question = places.questionAt(line) ?? questionAbove(line, anchors)
    if (!question || isInNameRow(line, typed, loose)) continue
    anchored.add(question)
    const order = typed.findLastIndex(
      (other) => other.page < line.page || (other.page === line.page && other.box.y <= line.box.y),
    )
    write(question, order + 0.5, line, line.text)
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
  // An answer said to be elsewhere, and not there, was not found.
  for (const question of elsewhere.questions) if (!byQuestion.has(question)) anchored.delete(question)
  return {
    pieces: byQuestion,
    found: anchored,
    otherPapers,
    foreign,
    otherVersion: isOtherVersion(typed, matches, prints),
  }
}

/** “1.” before “(a) Name …”: copied with a part of the question. */
const isCopiedNumber = (text: string, line: PlacedLine): boolean =>
  /^\W?(?:Q\.?\s?)?\d{1,2}[.):]$/i.test(text) &&
  line.text.startsWith(text) &&
  /^\W*[a-h]\W/i.test(line.text.slice(text.length))

const isSentence = (text: string): boolean => text.trim().split(/\s+/).length >= 5

const isWriting = (text: string): boolean => /[\p{L}\p{N}✓✔☑☒√∞=<>]/u.test(text)

/** Print with too few letters to be matched, as “….. (2)”. */
const isMarkForMarkers = (text: string): boolean =>
  /^[\s_.…]*[([]\s*\d{1,2}\s*(?:marks?|points?|pts?)?\s*[)\]]\s*$/i.test(text)

function withoutMark({ text, cells = [], pageWidth }: PlacedLine): string {
  const last = cells.length > 1 ? cells.at(-1) : undefined
  if (!last || last.x < pageWidth * 0.75 || !isMarkForMarkers(last.text)) return text
  return text.slice(0, text.lastIndexOf(last.text)).trim()
}

/** “Name: [field]” is no answer. */
function isInNameRow(line: PlacedLine, typed: PlacedLine[], loose: Set<PlacedLine>): boolean {
  const middle = line.box.y + line.box.height / 2
  return typed.some(
    (other) => loose.has(other) && other.page === line.page && middle > other.box.y - 3 && middle < bottomOf(other) + 3,
  )
}

function questionAbove(line: PlacedLine, anchors: { question: string; line: PlacedLine }[]): string | null {
  const { x, y } = middleOf(line)
  const above = anchors.filter(({ line: anchor }) => anchor.page === line.page && anchor.box.y <= y + 2)
  // In columns, an anchor right of the field is another column's.
  const near = above.filter(({ line: anchor }) => anchor.box.x <= x)
  const last = (near.length > 0 ? near : above).sort((a, b) => a.line.box.y - b.line.box.y).at(-1)
  if (last) return last.question
  return anchors.filter(({ line: anchor }) => anchor.page < line.page).at(-1)?.question ?? null
}

const ARROW = '(?:→|⇒|➔|➜|↪|->|=>|-->|>>)'
const WHERE = [
  '(?:(?:the|an?|my)\\s+)?(?:(?:next|last|back|other|extra|reverse|separate|attached|additional|following|opposite)\\s+)+(?:page|sheet|side|paper|one)s?',
  '(?:the\\s+)?back(?:\\s+(?:of|page|side)(?:\\s+(?:of\\s+)?(?:the\\s+|this\\s+)?(?:page|sheet|paper))?)?',
  'overleaf|over\\s*leaf|over|behind',
  '(?:at\\s+)?(?:the\\s+)?end(?:\\s+of\\s+(?:the\\s+|this\\s+)?(?:paper|booklet|test|exam|document))?',
  '(?:page|pg|p)\\.?\\s*\\d{1,2}',
].join('|')
/** These count in the middle of a line; the others are words of any sentence. */
const SURE_VERB = "(?:please\\s+)?(?:see|continued|cont(?:'?d|inuation)?\\.?)"
const VERB =
  "(?:please\\s+)?(?:see|continue[sd]?|cont(?:'?d|inuation)?\\.?|turn|goes?\\s+on|carr(?:y|ies|ied)\\s+on|(?:the\\s+)?rest(?:\\s+is)?|more|answer(?:ed)?(?:\\s+is)?|look)"
const AFTER_STOP = '(?:^|(?<=[.,;:!?)\\]…(\\[]\\s*))'
const PLACE = `(?:(?:on|to|at|in)\\s+)?(?:${WHERE})`
/** The answer is, or continues, elsewhere. */
const POINTER = new RegExp(
  `(?:${AFTER_STOP}[([*–—-]*\\s*(?:${VERB}\\s+${PLACE}|p\\.?\\s?t\\.?\\s?o\\.?)|(?<![\\p{L}\\p{N}])(?:${ARROW}\\s*(?:${VERB}\\s+)?|[([]?${SURE_VERB}\\s+)${PLACE})\\s*${ARROW}?[)\\].!*\\s]*$`,
  'iu',
)
const PAGE = /(?:page|pg|p)\.?\s*(\d{1,2})\W*$/i

interface AnswerPointer {
  before: string
  page: number | null
}

/** “(continued overleaf)”, “→ p. 4”, “see back of page” at the end of a text. */
export function readPointer(text: string): AnswerPointer | null {
  const match = POINTER.exec(text)
  if (!match) return null
  const page = PAGE.exec(match[0])?.[1]
  return { before: text.slice(0, match.index).trim(), page: page ? Number(page) : null }
}

/** “continued”, “(cont. from p. 2)” without the number of a question. */
const GOES_ON = /^\W*(?:answer\s+)?(?:continued|continuation|cont\.?|cont['’]d)(?:\s+from\b.{0,20})?\W*$/i

class AnswersElsewhere {
  readonly #pointers: { question: string; from: number; page: number | null }[] = []

  get questions(): string[] {
    return this.#pointers.map(({ question }) => question)
  }

  withoutPointer(question: string, { page }: PlacedLine, text: string): string {
    const pointer = readPointer(text)
    if (!pointer) return text
    this.#pointers.push({ question, from: page, page: pointer.page })
    return pointer.before
  }

  questionOnPage(page: number): string | null {
    const named = this.#pointers.findLast((one) => one.page === page && one.from !== page)
    const anywhere = this.#pointers.filter((one) => one.page === null && one.from < page)
    return (named ?? (anywhere.length === 1 ? anywhere[0] : undefined))?.question ?? null
  }

  questionGoneOnWith(text: string): string | null {
    return GOES_ON.test(text) ? (this.#pointers.at(-1)?.question ?? null) : null
  }
}
