import type { Paper } from '@assay/shared/papers.ts'
import type { AnswerRegion, Rubric } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import { escapeRegExp } from '../../lib/escape-reg-exp.ts'
import { assignLines } from '../extraction/assign-lines.ts'
import { removePrintedText } from '../extraction/print/remove-printed-text.ts'
import { printedLinesOf, printPairs } from '../layout/match-printed-lines.ts'
import { scanLabel } from '../layout/outline/label-candidates.ts'
import { inNumberOrder } from '../layout/outline/number-order.ts'
import { levelsOf } from '../layout/outline/outline-steps.ts'
import { findFigureText, printedRows } from '../layout/outline/read-questions.ts'
import {
  findPageFurniture,
  isNameFieldLine,
  normalizeText,
  type PlacedLine,
  type Row,
  toRow,
  visibleLines,
  withTallFormulas,
} from '../layout/paper-lines.ts'
import type { PrintedQuestion } from '../layout/printed-question.ts'
import type { KeyAnswer } from './key/key-lines.ts'
import { isIllegible, type KeyLine, readFrom, regionsOf, withoutEquationNumbers } from './key/key-lines.ts'
import { readLabelledKey, unmatchedNumbers } from './key/labelled-key.ts'
import { readMarkedKey } from './key/marked-key.ts'
import { readScheme } from './key/read-scheme.ts'
import { answerStyles, readColouredKey } from './key/repeated-key.ts'
import { type KeyRow, readTableKey } from './key/table-key.ts'

/** The share of questions that a colour must answer to be the answers' own. */
const COLOURED = 0.6

interface KeyAnswers {
  answers: Map<string, KeyAnswer>
  unmatched: string[]
  /** Questions whose answers OCR hardly read. */
  unclear: Set<string>
  regions: Map<string, AnswerRegion[]>
}

/** Written into the blank, or listed under the questions' numbers. */
export function keyAnswers(rubric: Rubric, printed: PrintedQuestion[], blank: Paper, key: Paper): KeyAnswers {
  const { lines, unmatched } = keyLines(rubric, printed, blank, key)
  const marked = readMarkedKey(printed, blank, key)
  shareParts(printed, lines)
  const answers = new Map(
    rubric.questions.map((question) => {
      const option = marked.get(question.id)
      const own = option
        ? [{ text: option, right: 0 }]
        : (lines.get(question.id) ?? []).filter(({ text }) => !isNameFieldLine(text))
      return [question.id, readScheme(isIllegible(own) ? [] : own, question.printed_points ?? null)]
    }),
  )
  const unclear = printed.filter(
    ({ id }) => !marked.has(id) && lines.get(id)?.some(({ confidence }) => confidence !== undefined),
  )
  const regions = new Map([...lines].map(([id, own]) => [id, regionsOf(own)]))
  return { answers, unmatched, unclear: new Set(unclear.map(({ id }) => id)), regions }
}

function keyLines(
  rubric: Rubric,
  questions: PrintedQuestion[],
  blank: Paper,
  key: Paper,
): { lines: Map<string, KeyLine[]>; unmatched: string[] } {
  const numbers = questions.map(({ number }) => number)
  const visible = visibleLines(key)
  const { rows: blankRows } = printedRows(visibleLines(blank))
  const furniture = findPageFurniture(visible)
  const figures = findFigureText(visible)
  const isFigureLabel = (line: PlacedLine) => figures.has(line) && !/\p{L}{3}|\d/u.test(line.text)
  const printed = visibleLines(blank)
  const cover = listsOfCover(questions, printed)
  const names = namesOfPages(printed)
  const isNoAnswer = ({ text, box, pageHeight }: PlacedLine) => {
    const plain = normalizeText(text)
    const isInMargin = box.y < MARGIN * pageHeight || box.y > (1 - MARGIN) * pageHeight
    return cover.has(plain) || (isInMargin && NAME.test(plain) && names.some((name) => name.startsWith(plain)))
  }
  const tables = readTableKey(key, visible).filter((table) => !holdsList(table, numbers))
  const ruled = new Set(tables.flatMap(({ lines }) => [...lines]))
  const lines = inNumberOrder(
    withoutEquationNumbers(
      visible.filter((line) => !furniture.has(line) && !ruled.has(line) && !isFigureLabel(line) && !isNoAnswer(line)),
    ),
  ).flatMap(
    (line, i, all) =>
      splitGrid(line, all[i - 1], all[i + 1], numbers) ??
      splitList(line, numbers).flatMap((one) => splitParts(one, numbers)),
  )
  const rows = withTallFormulas(lines.map((line): KeyRow => toRow(line)))
    .concat(tables.flatMap((table) => table.rows.map((row) => withoutPrint(row, blankRows))))
    .toSorted((a, b) => a.line.page - b.line.page || (a.keyLines || b.keyLines ? a.line.box.y - b.line.box.y : 0))
  const styles = answerStyles(blank, key)
  const labelled = readLabelledKey(questions, rows, { rows: blankRows, added: addedTo(blankRows, rows), styles })
  if (labelled.size * 2 >= questions.length) return { lines: labelled, unmatched: unmatchedNumbers(questions, rows) }
  const print = printedLinesOf(rubric, blank)
  const coloured = styles.size > 0 ? readColouredKey(print, key, styles) : new Map<string, KeyLine[]>()
  const written = coloured.size >= COLOURED * questions.length ? coloured : writtenIn(rubric, blank, key)
  return { lines: written, unmatched: [] }
}

/** “(a) Voyager 2; (b) interstellar space” under one part answers two. */
function shareParts(questions: readonly PrintedQuestion[], lines: Map<string, KeyLine[]>): void {
  const groups = Map.groupBy(questions, ({ number }) => levelsOf(number).slice(0, -1).join(' '))
  for (const [parent, parts] of groups) {
    if (parent === '' || parts.length < 2) continue
    const labels = parts.map(({ number }) => levelsOf(number).at(-1) ?? '')
    for (const { id } of parts) {
      const own = lines.get(id) ?? []
      const text = own.map((line) => line.text).join(' ')
      const places = labels.map((label) =>
        text.search(new RegExp(String.raw`(?:^|[\s;,])\(?${escapeRegExp(label)}[).]\s`, 'i')),
      )
      const rising = places.filter((at) => at >= 0)
      if (
        rising.length < 2 ||
        rising.length < labels.length - 1 ||
        rising.some((at, i) => i > 0 && at <= (rising[i - 1] ?? 0))
      )
        continue
      for (const [i, at] of places.entries()) {
        const part = parts[i]
        if (!part || at < 0) continue
        const end = rising.find((other) => other > at) ?? text.length
        const words = text
          .slice(at, end)
          .replace(/^[\s;,]*\(?\w{1,4}[).]\s+/, '')
          .replace(/[\s;,]+$/, '')
        const { points: _, code: __, guidance: ___, ...from } = own[0] ?? { text: '', right: 0 }
        lines.set(part.id, [{ ...from, text: words }])
      }
      break
    }
  }
}

/** A frame round a list of numbered answers is no table: it has more numbers than rows. */
function holdsList(
  { rows, lines }: { rows: readonly KeyRow[]; lines: ReadonlySet<PlacedLine> },
  numbers: readonly string[],
): boolean {
  const known = new Set(numbers.map((number) => levelsOf(number).join(' ')))
  const labelOf = (text: string) => scanLabel(text).tokens.map(({ value }) => value)
  const numbered = [...lines].filter(({ text }) => known.has(labelOf(text).join(' ')))
  return numbered.length >= LEAST_LISTED && numbered.length > rows.length * 1.3
}

/** A key may repeat the cover's rules and table of points. */
function listsOfCover([first]: readonly PrintedQuestion[], lines: readonly PlacedLine[]): Set<string> {
  const start = first?.stem[0] ?? first?.lines[0]
  const end = lines.findIndex(({ text, page }) => text === (start?.stretchOf ?? start)?.text && page === start?.page)
  const numbered = lines.slice(0, Math.max(0, end)).filter(({ text }) => scanLabel(text).tokens.length > 0)
  return new Set(numbered.map(({ text }) => normalizeText(text)))
}

/** A key of few pages repeats running heads too seldom to tell them itself. */
const namesOfPages = (lines: PlacedLine[]): string[] => [
  ...new Set([...findPageFurniture(lines)].map(({ text }) => normalizeText(text))),
]
const MARGIN = 0.08 // of a page's height
const NAME = /\p{L}{3}\P{L}+\p{L}{3}/u

function withoutPrint(row: KeyRow, blank: readonly Row[]): KeyRow {
  const cells = new Set(blank.flatMap((one) => one.cells.map(({ text }) => normalizeText(text))))
  const keyLines = row.keyLines?.filter(({ text }) => !cells.has(normalizeText(text)))
  return keyLines && keyLines.length > 0 ? { ...row, keyLines } : row
}

function addedTo(blank: readonly Row[], rows: readonly KeyRow[]): Map<Row, string> {
  return new Map(
    printPairs(blank, rows).flatMap(({ printed, line: row, kind }): [Row, string][] => {
      const added = removePrintedText(row.text, printed.text, kind, row.line.source !== 'text')
      // “12. C – a skill” beside the blank's “C a skill” gives the option, and not the question again.
      const givesOption = scanLabel(added).tokens.length > 0 && firstLabel(printed) !== firstLabel(row)
      return givesOption ? [] : [[row, added]]
    }),
  )
}

const firstLabel = ({ text }: Row): string | undefined => scanLabel(text).tokens[0]?.value

function writtenIn(rubric: Rubric, blank: Paper, key: Paper): Map<string, KeyLine[]> {
  const lines = visibleLines(key).flatMap((line) => splitList(line, []))
  const { pieces } = assignLines(printedLinesOf(rubric, blank), lines)
  const toLine = ({ text, line }: { text: string; line: PlacedLine }) =>
    readFrom({ text, right: line.box.x + line.box.width }, line)
  return new Map([...pieces].map(([id, own]) => [id, own.map(toLine)]))
}

const BELOW = 14 // points

/** “1 2 3 4” above “B C A D”, a line for each. */
function splitGrid(
  line: PlacedLine,
  above: PlacedLine | undefined,
  below: PlacedLine | undefined,
  numbers: readonly string[],
): PlacedLine[] | null {
  const heads = numbersOfGrid(above, line, numbers)
  if (heads) {
    return (line.cells ?? []).flatMap((cell) => {
      const head = heads.find(({ x, width }) => Math.abs(x + width / 2 - cell.x - cell.width / 2) < BELOW)
      const { cells: _, ...plain } = line
      return head ? [{ ...plain, text: `${head.text.trim()}. ${cell.text}` }] : []
    })
  }
  return numbersOfGrid(line, below, numbers) ? [] : null
}

function numbersOfGrid(head: PlacedLine | undefined, body: PlacedLine | undefined, numbers: readonly string[]) {
  const own = (head?.cells ?? []).filter(({ text }) => /\d/.test(text))
  const first = numbers.indexOf(own[0]?.text.trim() ?? '')
  const counts = first >= 0 && own.every(({ text }, i) => text.trim() === numbers[first + i])
  const answers = (body?.cells ?? []).filter((cell) =>
    own.some(({ x, width }) => Math.abs(x + width / 2 - cell.x - cell.width / 2) < BELOW),
  )
  return counts && own.length >= LEAST_LISTED && answers.length === own.length ? own : null
}

const ENTRY = /(?:^|\s)(\d{1,3})\s*[.):]\s+(?=\S)/g
const LEAST_LISTED = 3

const SECTION_BEFORE = /^\s*(?:(?:section|part)\s+[A-Z\d]{1,4}\s*[.:–—-]?|[A-Z]\s*[.):])\s+(?=\d{1,3}\s*[.):]\s)/i

/** “1. B  2. True  3. 42” or “1 B  2 True  3 42”, a line for each. */
function splitList(line: PlacedLine, numbers: readonly string[]): PlacedLine[] {
  const heading = SECTION_BEFORE.exec(line.text)?.[0] ?? ''
  if (heading !== '') return splitList({ ...line, text: line.text.slice(heading.length) }, numbers)
  const stopped = [...line.text.matchAll(ENTRY)]
  const counts = stopped.every((entry, i) => i === 0 || Number(entry[1]) === Number(stopped[i - 1]?.[1]) + 1)
  const starts =
    stopped.length >= 2 && counts && stopped[0]?.index === 0
      ? stopped.map(({ index }) => index)
      : listed(line.text, numbers)
  if (starts.length < 2) return [line]
  const { cells: _, ...plain } = line
  return starts.map((start, i) => ({ ...plain, text: line.text.slice(start, starts[i + 1]).trim() }))
}

const PART = /(?:^|\s)\(?([a-z]|i{1,3}|iv|v|vi{1,3})\)\s+(?=\S)/g

/** “4. (a) 181  (b) 47  (c) DE”, a line for each. */
function splitParts(line: PlacedLine, numbers: readonly string[]): PlacedLine[] {
  const main = /^\W{0,2}(?:q(?:uestion)?\s*|problem\s*)?(\d{1,3})(?=\W)/i.exec(line.text)?.[1]
  const parts = numbers.flatMap((number) => {
    const [first, part, deeper] = number.toLowerCase().split(' ')
    return first === main && part && !deeper ? [part] : []
  })
  if (parts.length < 2) return [line]
  const found = [...line.text.matchAll(PART)]
  const starts = parts.map((part, i) => (found[i]?.[1] === part ? (found[i]?.index ?? -1) : -1))
  const named = starts.indexOf(-1) < 0 ? starts : starts.slice(0, starts.indexOf(-1))
  if (named.length < 2 || found.length !== named.length) return [line]
  const { cells: _, ...plain } = line
  return named.map((start, i) => ({
    ...plain,
    text: `${i === 0 ? line.text.slice(0, start) : `${main}.`} ${line.text.slice(start, named[i + 1]).trim()}`.trim(),
  }))
}

function listed(text: string, numbers: readonly string[]): number[] {
  const first = numbers.findIndex((number) => labelPatterns.memo(number).atStart.test(text))
  if (first < 0) return []
  const starts = [0]
  for (const number of numbers.slice(first + 1)) {
    const from = (starts.at(-1) ?? 0) + (numbers[first + starts.length - 1]?.replaceAll(' ', '').length ?? 1) + 2
    const at = text.slice(from).search(labelPatterns.memo(number).within)
    if (at < 0) break
    starts.push(from + at)
  }
  // “8a … 8b” is a list; “8 … 9” may be two figures.
  const least = /[a-z]/i.test(numbers[first] ?? '') ? 2 : LEAST_LISTED
  return starts.length >= least ? starts : []
}

/** `1 a` as keys set it: “1a”, “1 (a)”, “1.a)”. */
const labelPatterns = new LRUCache({
  max: 500,
  memoMethod(number: string) {
    const parts = number
      .split(' ')
      .map((part, level) => (level === 0 ? escapeRegExp(part) : String.raw`\s?[.(]?\s?${escapeRegExp(part)}`))
    const label = parts.join('') + (number.includes(' ') ? '[).:]?' : '')
    return { atStart: new RegExp(String.raw`^\s*${label}\s`), within: new RegExp(String.raw`\s${label}\s+\S`) }
  },
})
