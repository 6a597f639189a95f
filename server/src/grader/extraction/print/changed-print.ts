import type { matchPrintedLines, PrintedLine } from '../../layout/match-printed-lines.ts'
import type { PlacedLine } from '../../layout/paper-lines.ts'
import { alignWords, bareWord, wordsOf } from './remove-printed-text.ts'

/** One line may have been edited by its student. */
const FEWEST_CHANGED = 2
const LEAST_SHARE = 0.15
const VERSION = /\b(?:version|form|variant|fassung|set)\s*[:#]?\s*([A-H]|\d)(?![\p{L}\p{N}])/iu

/** Says so, or has other numbers and words amid the blank's lines. Only for typed pages, as OCR misreads. */
export function isOtherVersion(
  lines: readonly PlacedLine[],
  matches: ReturnType<typeof matchPrintedLines>,
  prints: readonly PrintedLine[],
): boolean {
  const head = prints.findIndex(({ question }) => question !== null)
  const blank = versionIn(prints.slice(0, head < 0 ? undefined : head))
  const firstQuestion = lines.findIndex((_, at) => prints[matches.get(at)?.printedIndex ?? -1]?.question)
  const paper = versionIn(lines.slice(0, firstQuestion < 0 ? 12 : firstQuestion))
  if (blank && paper && blank !== paper) return true
  let seen = 0
  let changed = 0
  for (const [at, { printedIndex, kind }] of matches) {
    const line = lines[at]
    const print = prints[printedIndex]
    if (!line || !print?.question || kind !== 'same' || line.source !== 'text') continue
    seen += 1
    if (isChanged(line.text, print.text)) changed += 1
  }
  return changed >= FEWEST_CHANGED && changed >= LEAST_SHARE * seen
}

const versionIn = (lines: readonly { text: string }[]): string | undefined =>
  lines.flatMap(({ text }) => VERSION.exec(text)?.[1]?.toUpperCase() ?? [])[0]

/** Whether other words replace print; writing in gaps replaces nothing. */
function isChanged(line: string, printed: string): boolean {
  let lost: string[] = []
  let extra: string[] = []
  for (const { given, print } of alignWords(wordsOf(line), wordsOf(printed))) {
    if (given !== null && print !== null) {
      if (/\d/.test(print) && bareWord(given) !== bareWord(print)) return true
      if (isReplaced(lost, extra)) return true
      lost = []
      extra = []
    } else if (given !== null) extra.push(bareWord(given))
    else if (print !== null) lost.push(bareWord(print))
  }
  return isReplaced(lost, extra)
}

function isReplaced(lost: readonly string[], extra: readonly string[]): boolean {
  const own = extra.filter((word) => word !== '')
  const gone = lost.filter((word) => /\d|.{2}/u.test(word) && !own.some((other) => other.includes(word)))
  return gone.length > 0 && own.some((word) => /\d|.{2}/u.test(word))
}
