import type { Box, Paper, Word } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { matchBlankPages } from '../../layout/match-blank-pages.ts'
import type { PrintedRubric } from '../../layout/match-printed-lines.ts'
import { mapBox, type PageRegistration, printedBaseline, wordBaseline } from '../../layout/page-registration.ts'
import { isInBox, normalizeText, type PlacedLine, printedSpans, visibleLines } from '../../layout/paper-lines.ts'
import { meanConfidence } from '../answer-state.ts'

export interface RegisteredPage {
  page: number
  blankPage: number
  registration: PageRegistration
  writings: { question: string | null; line: PlacedLine; onBlank: Box }[]
  questions: Set<string>
  /** False for transcribed pages, whose words are better matched by text. */
  byPlace: boolean
  questionAt(onBlank: Box): string | null
}

const OFF_BASELINE = 0.42 // of the print's height
const BESIDE = 2 // points
const EDGE = 18
const LARGEST_BOX = 24
const NEAR_FRAME = 5
const SAME_ROW = 0.6 // of the print's height

interface PrintOnBlank {
  question: string | null
  box: Box
  baseline: number
  height: number
  spans: { text: string; box: Box }[]
}

/** What stands where the blank has print is print, however it was read. */
export function readRegisteredPages(
  rubric: Rubric,
  print: PrintedRubric,
  blank: Paper,
  lines: readonly PlacedLine[],
  pages: ReturnType<typeof matchBlankPages>,
): RegisteredPage[] {
  const blankLines = visibleLines(blank)
  return [...pages].flatMap(([page, { pages: matched }]) => {
    const [only, other] = matched.filter(({ registration }) => registration !== null)
    if (!only?.registration || other) return []
    const { registration, number } = only
    const prints = printsOn(number, blankLines, print)
    const own = lines.filter((line) => line.page === page)
    const frames = (blank.pages.find((one) => one.number === number)?.shapes ?? []).map(({ box }) => box)
    const writings = own.flatMap((line) => writingIn(line, prints, frames, registration, rubric, number))
    const questions = new Set(prints.flatMap(({ question }) => (question ? [question] : [])))
    const at = (box: Box) => questionAt(box, prints, rubric, number)
    return [
      {
        page,
        blankPage: number,
        registration,
        writings,
        questions,
        questionAt: at,
        byPlace: own.every(({ source }) => source !== 'model'),
      },
    ]
  })
}

function printsOn(page: number, blankLines: PlacedLine[], print: PrintedRubric): PrintOnBlank[] {
  const owners = new Map(
    print.lines
      .filter((one) => one.page === page)
      .map(({ text, y, question }) => [`${Math.round(y * 10)} ${text}`, question]),
  )
  return blankLines
    .filter((line) => line.page === page)
    .map((line) => ({
      question: owners.get(`${Math.round(line.box.y * 10)} ${line.text}`) ?? null,
      box: line.box,
      baseline: printedBaseline(line),
      height: line.box.height,
      spans: printedSpans(line),
    }))
}

function writingIn(
  line: PlacedLine,
  prints: readonly PrintOnBlank[],
  frames: readonly Box[],
  registration: PageRegistration,
  rubric: Rubric,
  blankPage: number,
): RegisteredPage['writings'] {
  const placed = (line.words ?? [{ text: line.text, box: line.box, confidence: line.confidence }]).map((word) => ({
    word,
    onBlank: mapBox(word.box, registration.toBlank),
  }))
  const written = placed.filter(
    ({ word, onBlank }) => !isPrint(word, onBlank, prints) && !frames.some((frame) => isFrame(frame, onBlank)),
  )
  const found: { question: string | null; words: typeof placed }[] = []
  for (const one of written) {
    const question = questionAt(one.onBlank, prints, rubric, blankPage)
    const last = found.at(-1)
    if (last && last.question === question) last.words.push(one)
    else found.push({ question, words: [one] })
  }
  return found.map(({ question, words }) => ({
    question,
    line: lineOf(
      line,
      words.map(({ word }) => word),
    ),
    onBlank: words.map(({ onBlank }) => onBlank).reduce(around),
  }))
}

function isPrint({ text }: Word, box: Box, prints: readonly PrintOnBlank[]): boolean {
  const middle = box.x + box.width / 2
  const plain = normalizeText(text)
  return prints.some(({ baseline, height, spans }) => {
    const em = height / 1.07
    const off = Math.abs(wordBaseline({ text, box }, em) - baseline)
    // Numbers in boxes are read with their boxes.
    const centre = Math.abs(box.y + box.height / 2 - (baseline - 0.3 * em))
    if (Math.min(off, centre) > OFF_BASELINE * em) return false
    if (coveredShare(box, spans) >= 0.5) return true
    return spans.some((stretch) => {
      const [left, right] = [stretch.box.x, stretch.box.x + stretch.box.width]
      const words = normalizeText(stretch.text).split(' ')
      // Where print leaves room to write, its ends are known only roughly.
      if (middle < left) return left - middle < EDGE && words[0] === plain
      return middle > right ? middle - right < EDGE && words.at(-1) === plain : true
    })
  })
}

/** OCR reads an empty or ticked box as a letter or some. */
const isFrame = (frame: Box, word: Box): boolean =>
  frame.width < LARGEST_BOX &&
  frame.height < LARGEST_BOX &&
  Math.abs(frame.x + frame.width / 2 - word.x - word.width / 2) < NEAR_FRAME &&
  Math.abs(frame.y + frame.height / 2 - word.y - word.height / 2) < NEAR_FRAME &&
  word.width > frame.width * 0.75 &&
  word.width < frame.width * 1.8

function coveredShare(box: Box, spans: PrintOnBlank['spans']): number {
  const covered = spans.reduce((sum, { box: { x, width } }) => {
    const overlap = Math.min(box.x + box.width, x + width + BESIDE) - Math.max(box.x, x - BESIDE)
    return sum + Math.max(0, overlap)
  }, 0)
  return covered / Math.max(1, box.width)
}

/** By the row's print, the answer space, or the print above. */
function questionAt(box: Box, prints: readonly PrintOnBlank[], rubric: Rubric, page: number): string | null {
  const drawn = roomAt(box, rubric, page, (region) => region.drawn === true)
  if (drawn) return drawn
  const bottom = box.y + box.height
  const inRow = prints
    .filter(({ question, baseline, height }) => question && Math.abs(bottom - baseline) < SAME_ROW * height)
    .flatMap(({ question, spans }) => spans.map((stretch) => ({ question, gap: gapFrom(stretch.box, box) })))
    .filter(({ gap }) => Number.isFinite(gap))
    .sort((a, b) => a.gap - b.gap)[0]
  if (inRow) return inRow.question
  const room = roomAt(box, rubric, page, (region) => region.drawn !== true)
  if (room) return room
  const above = prints
    .filter((one) => one.question && one.baseline < bottom && one.box.x < box.x + box.width / 2)
    .sort((a, b) => b.baseline - a.baseline)[0]
  return above?.question ?? null
}

type Region = Rubric['questions'][number]['regions'][number]

function roomAt(box: Box, { questions }: Rubric, page: number, counts: (region: Region) => boolean): string | null {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const isThere = (region: Region) => region.page === page && counts(region) && isInBox(x, y, region.box)
  return questions.find(({ regions }) => regions.some(isThere))?.id ?? null
}

function gapFrom(print: Box, writing: Box): number {
  const behind = writing.x - (print.x + print.width)
  if (behind > -8) return Math.max(0, behind)
  const before = print.x - (writing.x + writing.width)
  return before > -8 && before < 60 ? Math.max(0, before) + 200 : Number.POSITIVE_INFINITY
}

function lineOf(line: PlacedLine, words: Word[]): PlacedLine {
  const { cells: _, ...rest } = line
  return {
    ...rest,
    text: words.map(({ text }) => text).join(' '),
    box: words.map(({ box }) => box).reduce(around),
    words,
    confidence: meanConfidence(words),
  }
}

const around = (a: Box, b: Box): Box => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}
