import type { matchPrintedLines, PrintedLine, PrintMatch } from '../../layout/match-printed-lines.ts'
import { normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import { spellingSimilarity } from '../../text/fuzzy-match.ts'

const WORDS = /[^\s_]+/g
const wordsOf = (text: string): string[] => text.match(WORDS) ?? []

const OPTION_MARK =
  /\[\s*[xX✓✔*]\s*\]|\(\s*[xX✓✔*]\s*\)|[☑☒✓✔✗✘●⦿◉]|^\s*(?:[xX]\s+|\*\s*)(?=\(?[A-Ha-h][.)])|<[-=]|←|\(correct\)/u

/** OCR misreadings of printed words are not the student's. */
export function removePrintedText(line: string, printed: string, how: PrintMatch['kind'], ocr: boolean): string {
  if (how === 'begins') return ''
  const written = markedOption(line, printed)
  if (written) return written
  if (normalizeText(line) === normalizeText(printed)) return ''
  const given = wordsOf(line)
  const print = wordsOf(printed)
  const between = aroundAllPrint(given, print)
  if (between !== null) return between
  if (how === 'starts') return given.slice(endOfPrint(given, print)).join(' ')
  const within = betweenEnds(given, print, printed)
  if (within !== null) return within
  const kept: string[] = []
  let extra: string[] = []
  let lost = 0
  const close = () => {
    const wrote = extra.join(' ')
    // As many letters lost as found: a misreading, if OCR read it.
    const misread = ocr ? wrote.length <= lost * 1.6 + 1 : false
    if (!misread && /[\p{L}\p{N}]/u.test(wrote)) kept.push(wrote)
    extra = []
    lost = 0
  }
  for (const step of alignWords(given, print)) {
    if (step.given !== null && step.print !== null) close()
    else if (step.given !== null) extra.push(step.given)
    else if (step.print !== null && /[\p{L}\p{N}]/u.test(step.print)) lost += step.print.length
  }
  close()
  return kept.join(' ').trim()
}

/** “Temperature: … Heart rate: …”, only if all of the print is there. */
function aroundAllPrint(given: readonly string[], print: readonly string[]): string | null {
  let at = 0
  const written = given.filter((word) => {
    if (bareWord(word) !== bareWord(print[at] ?? '') || at >= print.length) return /[\p{L}\p{N}]/u.test(word)
    at += 1
    return false
  })
  return at === print.length && at > 1 ? written.join(' ') : null
}

/** Null unless the sentence is printed whole around its one gap. */
function betweenEnds(given: readonly string[], print: readonly string[], printed: string): string | null {
  const gaps = [...printed.matchAll(/_(?:\s?_)+/g)]
  const [gap] = gaps
  if (!gap || gaps.length > 1) return null
  const before = printed.slice(0, gap.index).match(WORDS)?.length ?? 0
  const after = print.length - before
  if (given.length < before + after || after === 0) return null
  const same = (word: string | undefined, other: string | undefined) => bareWord(word ?? '') === bareWord(other ?? '')
  const starts = print.slice(0, before).every((word, i) => same(word, given[i]))
  const ends = print.slice(before).every((word, i) => same(word, given[given.length - after + i]))
  return starts && ends ? given.slice(before, given.length - after).join(' ') : null
}

/** “[x] B. Mars” where the blank prints “[ ] B. Mars”. */
function markedOption(line: string, printed: string): string | null {
  const mark = OPTION_MARK.exec(line)
  if (!mark || OPTION_MARK.test(printed)) return null
  const option = /\(?\b([A-H])[.)]\s*(.*)$/i.exec(line)
  if (!option) return null
  return `${(option[1] ?? '').toUpperCase()}. ${(option[2] ?? '').replace(OPTION_MARK, '').trim()}`
}

const bareWord = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const alike = (a: string, b: string) => {
  const [x, y] = [bareWord(a), bareWord(b)]
  return x === y || (x.length > 3 && spellingSimilarity(x, y) >= 0.6)
}

function endOfPrint(given: string[], print: string[]): number {
  const head = given.slice(0, print.length + 3)
  let end = 0
  let i = 0
  for (const step of alignWords(head, print)) {
    if (step.given !== null) i++
    if (step.given !== null && step.print !== null) end = i
  }
  return end
}

/** Longest common subsequence, as steps along both. */
function alignWords(given: string[], print: string[]): { given: string | null; print: string | null }[] {
  const width = print.length + 1
  const table = new Uint16Array((given.length + 1) * width)
  const same = given.map((word) => print.map((other) => alike(word, other)))
  for (let i = given.length - 1; i >= 0; i--) {
    for (let j = print.length - 1; j >= 0; j--) {
      table[i * width + j] = same[i]?.[j]
        ? (table[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0)
    }
  }
  const steps: { given: string | null; print: string | null }[] = []
  let i = 0
  let j = 0
  while (i < given.length || j < print.length) {
    const a = given[i]
    const b = print[j]
    if (a !== undefined && b !== undefined && same[i]?.[j]) {
      steps.push({ given: a, print: b })
      i++
      j++
    } else if (
      b === undefined ||
      (a !== undefined && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      steps.push({ given: a ?? null, print: null })
      i++
    } else {
      steps.push({ given: null, print: b })
      j++
    }
  }
  return steps
}

const MIN_MATCHING_SHARE = 0.8

/** After a recognised beginning, lines that continue its words are print, however a copy breaks them. */
export class PrintedTextTracker {
  readonly #prints: PrintedLine[]
  readonly #words: string[][]
  #question: string | null = null
  #ahead: string[] = []

  constructor(prints: PrintedLine[]) {
    this.#prints = prints
    this.#words = prints.map((print) => plainWordsOf(print.text))
  }

  startAt({ printedIndex, kind }: PrintMatch, text: string): void {
    this.#question = this.#prints[printedIndex]?.question ?? null
    const rest = this.#words
      .slice(printedIndex)
      .filter((_, i) => this.#prints[printedIndex + i]?.question === this.#question)
    const said = kind === 'begins' ? plainWordsOf(text).length : (this.#words[printedIndex]?.length ?? 0)
    this.#ahead = rest.flat().slice(said)
  }

  /** Null when the line does not continue the print. */
  remainderAfterPrint(text: string): string | null {
    const words = plainWordsOf(text)
    const length = Math.min(words.length, this.#ahead.length)
    const alike = words.slice(0, length).filter((word, i) => isAlike(word, this.#ahead[i] ?? '')).length
    // A single short word (“the”) proves nothing.
    const telling = length >= 2 || (words[0]?.length ?? 0) >= 4 || words.length === 1
    if (length === 0 || !telling || alike < length * MIN_MATCHING_SHARE) {
      // Chance matches with later print must not swallow the answer that has begun.
      this.#ahead = []
      return null
    }
    this.#ahead = this.#ahead.slice(length)
    return text.split(/\s+/).slice(length).join(' ')
  }
}

const isAlike = (a: string, b: string) => a === b || (a.length > 3 && spellingSimilarity(a, b) >= 0.6)

const plainWordsOf = (text: string) =>
  normalizeText(text)
    .split(' ')
    .filter((word) => word !== '')

/** One line may have been edited by its student. */
const FEWEST_CHANGED = 2
const LEAST_SHARE = 0.15
const VERSION = /\b(?:version|form|variant|fassung|set)\s*[:#]?\s*([A-H]|\d)(?![\p{L}\p{N}])/iu

/** Says so, or changes numbers and words amid the blank's lines. Typed pages only, as OCR misreads. */
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

/** Writing in gaps replaces nothing. */
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
