import { sum } from '../../../lib/numbers.ts'
import type { matchPrintedLines, PrintedLine, PrintedRubric } from '../../layout/match-printed-lines.ts'
import { readPoints } from '../../layout/outline/points.ts'
import { bottomOf, normalizeText, type PlacedLine, type Row, toRow } from '../../layout/paper-lines.ts'
import { pathOfNumber, scanLabels } from '../../layout/question-labels.ts'
import { followSheetLabels } from './follow-sheet-labels.ts'
import { sheetSegments } from './sheet-segments.ts'

export const ANSWER_LABEL = /^\s*(?:answer|ans)\s*[:.]\s*/i

export type SheetAnswers = { question: string; text: string }[] | null

const LEAST_PRINT = 15 // letters

export interface OwnSheets {
  found: Map<PlacedLine, SheetAnswers>
  otherPapers: OtherPaper[]
  blankPages: ReadonlySet<number>
  foreign: ReturnType<typeof findForeignPages>
}

export function readOwnSheets(
  lines: PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  { lines: prints, questions }: Pick<PrintedRubric, 'lines' | 'questions'>,
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
  // Such a sheet may go on with the answer before it, or hold the only one.
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

/** What students copy with a label, or set it off by: “= 12”, “[2] 16 hPa”. */
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

/** Those that print its questions, or little but its print, as covers do. */
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

/** A sheet that repeats nearly all numbers of an earlier one is of another paper. */
function findOtherPapers(rows: readonly Row[], paths: readonly string[][]): OtherPaper[] {
  const numbers = new Set(paths.map((path) => path.join(' ')))
  const seen = new Map<string, number>()
  const others: OtherPaper[] = []
  for (const [page, own] of Map.groupBy(rows, ({ line }) => line.page)) {
    const found = own.flatMap(({ labels }) => {
      const path = labels.map(({ value }) => value)
      // “Q1 a barometer”.
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

export function repeatsFurniture(line: PlacedLine, prints: PrintedLine[]): boolean {
  const inMargin = line.box.y < line.pageHeight * 0.1 || bottomOf(line) > line.pageHeight * 0.92
  if (!inMargin) return false
  const same = (text: string) => text.toLowerCase().replace(/[\d\s_]+/g, '')
  return prints.some((print) => print.question === null && same(print.text) === same(line.text))
}

const FEWEST_QUESTIONS = 2
const LEAST_ASKED = 0.34 // of a page's numbered lines
/** How much more of its own print than of the blank's a foreign page has. */
const MORE_OWN = 2
const RESTATED = 0.5 // of its words are the blank's
const LEAST_CONFIDENCE = 0.85 // less sure words may be the blank's, and garbled

const ASKS =
  /^(?:[\p{L}'’-]+\s+){0,2}?(?:explain|describe|name|state|give|list|calculate|find|solve|define|compare|draw|sketch|write|complete|circle|tick|choose|underline|identify|outline|discuss|evaluate|show|prove|determine|work out|match|fill in|label|suggest|simplify|factori[sz]e|translate|convert|estimate|what|which|who|whom|whose|why|how|when|where|true or false)(?!\p{L})/iu
const HAS_ROOM = /_{4,}|\.{6,}|…{2,}/
const OPTION = /^\W{0,3}\(?[A-E][.)]\s+\S/i
const FIRST_OPTION = /^\W{0,3}\(?A(?:[.)]\s*|\s+)\S/i
const TRUTH = /(?<!\p{L})(?:T\s*[/|]?\s*F|True\s*[/|]?\s*False|Yes\s*[/|]?\s*No)(?!\p{L})/u
const NAME_FIELD = /^\W*(?:student\s+)?name\s*:/i
const TITLE = /\b(?:quiz|test|exam(?:ination)?|worksheet|assessment|assignment|homework|midterm|final|paper)\b/i
const ASKING_WORDS = new Set(
  'what which when where whom whose does this that these those with from have name state give list explain describe calculate find write complete circle tick choose following each answer question questions mark marks point points true false your show work most correct into their there them they will would about because between'.split(
    ' ',
  ),
)

interface PagePrint {
  foreign: number
  foreignLetters: number
  blankLetters: number
  numbered: number
  signs: number
}

/** Copied questions, even in other words, are the blank's. `all`: no page of the paper is the blank's. */
function findForeignPages(
  lines: readonly PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  prints: readonly PrintedLine[],
  blankPages: ReadonlySet<number>,
): { pages: Set<number>; all: boolean } {
  const known = wordsOfQuestions(prints)
  const byPage = new Map<number, PagePrint>()
  for (const [at, line] of lines.entries()) {
    const page = byPage.get(line.page) ?? { foreign: 0, foreignLetters: 0, blankLetters: 0, numbered: 0, signs: 0 }
    byPage.set(line.page, page)
    count(page, line, lines[at + 1], known, matches.get(at), prints)
  }
  const pages = new Set([...byPage].flatMap(([number, page]) => (isForeign(page) ? [number] : [])))
  const print = [...byPage.values()]
  const noneOfBlank = [...blankPages].every((page) => pages.has(page))
  const all =
    noneOfBlank &&
    (pages.size > 0 ||
      (blankPages.size === 0 &&
        isForeign({
          foreign: sum(print.map(({ foreign }) => foreign)),
          foreignLetters: sum(print.map(({ foreignLetters }) => foreignLetters)),
          blankLetters: sum(print.map(({ blankLetters }) => blankLetters)),
          numbered: sum(print.map(({ numbered }) => numbered)),
          signs: sum(print.map(({ signs }) => signs)),
        })))
  return { pages, all }
}

function count(
  page: PagePrint,
  { text, confidence }: PlacedLine,
  next: PlacedLine | undefined,
  known: readonly ReadonlySet<string>[],
  match: ReturnType<typeof matchPrintedLines> extends Map<number, infer M> ? M | undefined : never,
  prints: readonly PrintedLine[],
): void {
  const letters = normalizeText(text).length
  if (match) {
    if (prints[match.printedIndex]?.question) page.blankLetters += letters
    return
  }
  const { labels } = scanLabels(text)
  const [first] = labels
  const numbered = first !== undefined && (first.style.length > 1 || labels.length > 1)
  if (numbered) page.numbered += 1
  const worth = readPoints(text) !== null
  if (worth || HAS_ROOM.test(text) || OPTION.test(text) || NAME_FIELD.test(text) || TITLE.test(text)) page.signs += 1
  if (confidence < LEAST_CONFIDENCE || !(numbered || worth)) return
  const words = text.slice(labels.at(-1)?.end ?? 0).trim()
  if (!worth && !asks(words, text, next)) return
  const own = contentWords(words)
  if (own.length < 2 || known.some((one) => own.filter((word) => one.has(word)).length >= RESTATED * own.length)) return
  page.foreign += 1
  page.foreignLetters += letters
}

const asks = (words: string, line: string, next: PlacedLine | undefined): boolean =>
  /\?\W*(?:_|$)/.test(words) ||
  ASKS.test(words) ||
  HAS_ROOM.test(line) ||
  TRUTH.test(line) ||
  FIRST_OPTION.test(next?.text ?? '')

const isForeign = ({ foreign, foreignLetters, blankLetters, numbered, signs }: PagePrint): boolean =>
  foreign >= FEWEST_QUESTIONS &&
  foreign >= LEAST_ASKED * numbered &&
  signs > 0 &&
  foreignLetters > MORE_OWN * blankLetters

function wordsOfQuestions(prints: readonly PrintedLine[]): Set<string>[] {
  return [...Map.groupBy(prints, ({ question }) => question)].map(
    ([, own]) => new Set(own.flatMap(({ text }) => contentWords(text))),
  )
}

const contentWords = (text: string): string[] =>
  normalizeText(text)
    .split(' ')
    .filter((word) => /^\p{L}{4,}$/u.test(word) && !ASKING_WORDS.has(word))
