import { sum } from '../../../lib/numbers.ts'
import type { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { readPoints } from '../../layout/outline/points.ts'
import { normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import type { PrintedLine } from '../../layout/printed-lines.ts'
import { scanLabels } from '../../layout/question-labels.ts'

const FEWEST_QUESTIONS = 2
/** So many of a page's numbered lines ask something. */
const LEAST_ASKED = 0.34
/** So much more of its own print than of the blank's. */
const MORE_OWN = 2
/** A question in a student's own words shares so many of its words with the blank's. */
const RESTATED = 0.5
/** What is read less surely may be the blank's, and garbled. */
const LEAST_CONFIDENCE = 0.85

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

/** `foreign`: lines that ask something and are no question of the blank's. */
interface PagePrint {
  foreign: number
  foreignLetters: number
  blankLetters: number
  numbered: number
  signs: number
}

/** Copied questions, even in other words, are the blank's. `all`: no page of the paper is the blank's. */
export function findForeignPages(
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
