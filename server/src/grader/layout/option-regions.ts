import type { Box, Cell, Paper } from '@assay/shared/papers.ts'
import { bareText, TICK_SIGNS } from '@assay/shared/rules/choice-options.ts'
import { withRuledFrames } from '@assay/shared/rules/ruled-frames.ts'
import { cellsOf, type PlacedLine } from './paper-lines.ts'
import type { PrintedQuestion } from './printed-question.ts'

export interface OptionRegion {
  /** `B`, `True`, or the option's words where it has no letter. */
  value: string
  page: number
  box: Box
}

export interface OptionPlace {
  question: string
  place: OptionRegion
}

const LABELLED = /^\W*\(?([A-Ha-h])(?:[.):]\s*|\s+)(?=\S)/
/** A further option on the same line needs a stop. */
const LATER_LABEL = /(?<=\S\s+)\(?([B-Hb-h])[.):]\s*(?=\S)/g
const ALTERNATIVES = /[\p{L}\p{N}'’-]+(?:\s*[/|]\s*[\p{L}\p{N}'’-]+)+/u
const TRUTH = /\b(True|False|Yes|No|TRUE|FALSE|YES|NO)\b|(?<![\p{L}\p{N}])([TF])(?![\p{L}\p{N}.])/gu
/** More rows without letters are running text. */
const MOST_OPTIONS = 8

export function optionRegions(
  question: PrintedQuestion,
  kind: 'choice' | 'true_false',
  expected: string,
  blank: Paper,
): OptionRegion[] {
  return kind === 'true_false' ? truthRegions(question) : choiceRegions(question, expected, blank)
}

function truthRegions({ lines }: PrintedQuestion): OptionRegion[] {
  for (const line of [...lines].reverse()) {
    const found = [...line.text.matchAll(TRUTH)]
    const words = found.map((match) => (match[1] ?? match[2] ?? '').toLowerCase())
    const both = words.some((word) => /^(?:t|y)/.test(word)) && words.some((word) => /^(?:f|n)/.test(word))
    if (both && found.length <= 4) return lastTwo(found).map((match) => placeIn(line, match))
  }
  const single = lines.flatMap((line) => {
    const match = /^\W*(True|False|Yes|No)\W*$/i.exec(line.text)
    return match ? [{ value: match[1] ?? '', page: line.page, box: line.box }] : []
  })
  return single.length >= 2 ? single : []
}

/** “True or false? … Circle: True False”: the last two are to be circled, unless the row begins with them. */
const lastTwo = (found: RegExpMatchArray[]): RegExpMatchArray[] =>
  (found[0]?.index ?? 99) < 2 ? found.slice(0, 2) : found.slice(-2)

function placeIn(line: PlacedLine, match: RegExpMatchArray): OptionRegion {
  let from = 0
  for (const cell of cellsOf(line)) {
    const at = line.text.indexOf(cell.text, from)
    if (at >= 0 && match.index !== undefined && match.index >= at && match.index < at + cell.text.length) {
      const each = cell.width / Math.max(1, cell.text.length)
      const x = cell.x + (match.index - at) * each
      return { value: match[0], page: line.page, box: { ...line.box, x, width: match[0].length * each } }
    }
    if (at >= 0) from = at + cell.text.length
  }
  return { value: match[0], page: line.page, box: line.box }
}

function choiceRegions(question: PrintedQuestion, expected: string, blank: Paper): OptionRegion[] {
  const { lines } = question
  const labelled = labelledRegions(question)
  if (labelled.length >= 2) return labelled
  const signed = lines.flatMap((line) => boxesIn(line).map((cell) => regionOf(line, cell)))
  if (signed.length >= 2) return signed
  const boxed = lines.flatMap((line, i) =>
    i === 0 && /[?:]\s*$/.test(line.text) ? [] : optionsAtBoxes(line, tickBoxes(line, blank)),
  )
  if (boxed.length >= 2) return boxed
  const numbered = numberedRegions(question)
  if (numbered.length >= 2) return numbered
  // Other words are options only if the right one is among them, or one is to be marked.
  if (bareText(expected) === '') return asksToMark(question) ? rowToMark(lines) : []
  const inRow = rowPlaces(lines, expected)
  if (inRow.length >= 2) return inRow
  const at = lines.findIndex(({ text }) => bareText(text) === bareText(expected))
  const right = lines[at]
  if (!right) return []
  const options = lines
    .filter(({ box, page }) => page === right.page && Math.abs(box.x - right.box.x) < 4)
    .slice(-MOST_OPTIONS)
  const first = options.findIndex(({ text }) => !/[?.:]\s*$/.test(text) && text.split(/\s+/).length <= 8)
  return options.slice(Math.max(0, first)).map(({ text, page, box }) => ({ value: text, page, box }))
}

const ASKS_TO_MARK =
  /\b(?:circle|ring|tick|underline|cross\s+out|highlight|choose|select|pick|mark|delete|strike)\b[^.?!]{0,30}\b(?:one|answer|choice|option|word|correct|right|best|wrong)/i

const asksToMark = ({ stemTexts, texts }: PrintedQuestion): boolean =>
  [...stemTexts, ...texts].some((text) => ASKS_TO_MARK.test(text))

/** Brackets, stops and line ends show where the first begins and the last ends. */
const OFFERED =
  /(?<=^|[()\]:]\s*)[^\s/|()[\]:][^/|()[\]:]*(?:\s*[/|]\s*[^/|()[\]:]*[^\s/|()[\]:.,;?])+(?=\s*(?:[).,;?]|$))/u
const MOST_WORDS = 5

/** “rises / falls / stays”, “(lighter/heavier)”, “iron   copper   gold”. */
function rowToMark(lines: readonly PlacedLine[]): OptionRegion[] {
  for (const [i, line] of [...lines.entries()].reverse()) {
    const offered = OFFERED.exec(line.text)
    const slashed = offered ? sharedBySlashes(line, offered[0], offered.index) : []
    const spaced = i > 0 && !/[.?!:;]/.test(line.text) ? (line.cells ?? []) : []
    const row = [slashed, spaced].find(
      (cells) =>
        cells.length >= 2 &&
        cells.length <= MOST_OPTIONS &&
        cells.every(({ text }) => text.split(/\s+/).length <= MOST_WORDS),
    )
    if (row) return row.map((cell) => regionOf(line, cell))
  }
  return []
}

function labelledRegions({ lines, texts }: PrintedQuestion): OptionRegion[] {
  const found: OptionRegion[] = []
  for (const [i, line] of lines.entries()) {
    const cells = cellsOf(line)
    for (const cell of cells) {
      const text = i === 0 && cells.length === 1 ? (texts[0] ?? '') : cell.text
      const before = Math.max(0, cell.text.lastIndexOf(text))
      const labels = [LABELLED.exec(text), ...text.matchAll(LATER_LABEL)].filter((match) => match !== null)
      const own = labels.filter(({ 1: letter = '' }) => {
        const isNext = letter.toUpperCase().charCodeAt(0) - 65 === found.length
        if (isNext) found.push({ value: letter.toUpperCase(), page: line.page, box: line.box })
        return isNext
      })
      const ends = own.slice(1).map(({ index }) => index)
      for (const [k, { index }] of own.entries()) {
        const place = found[found.length - own.length + k]
        if (place) place.box = partOf(line, cell, before + index, before + (ends[k] ?? text.length))
      }
    }
  }
  return found
}

function rowPlaces(lines: readonly PlacedLine[], expected: string): OptionRegion[] {
  for (const line of lines.toReversed()) {
    const rows = [line.cells ?? [], alternativesIn(line), sharedBySlashes(line), wordsAlone(line)]
    const row = rows.find(
      (cells) =>
        cells.length >= 2 &&
        cells.length <= MOST_OPTIONS &&
        cells.some(({ text }) => bareText(text) === bareText(expected)),
    )
    if (row) return row.map((cell) => regionOf(line, cell))
  }
  return []
}

const regionOf = (line: PlacedLine, { text, x, width }: Pick<Cell, 'text' | 'x' | 'width'>): OptionRegion => ({
  value: text,
  page: line.page,
  box: { ...line.box, x, width },
})

const spanOf = ({ x, width }: Pick<Cell, 'x' | 'width'>) => ({ x, width })

function alternativesIn(line: PlacedLine): Cell[] {
  const [group] = line.text.match(ALTERNATIVES) ?? []
  const from = group ? line.text.indexOf(group) : 0
  return [...(group ?? '').matchAll(/[^\s/|]+/g)].map(({ 0: text, index }) => cellOf(line, text, from + index))
}

const SIGNED = new RegExp(String.raw`[${TICK_SIGNS}]\s*([^${TICK_SIGNS}]*[^${TICK_SIGNS}\s])`, 'gu')

/** “☐ 0.38  ☐ 0.375”, placed by their share of the cell. */
const boxesIn = (line: PlacedLine): Cell[] =>
  cellsOf(line).flatMap((cell) =>
    [...cell.text.matchAll(SIGNED)].map(({ 0: all, 1: text = '', index }) => ({
      text,
      ...spanOf(partOf(line, cell, index, index + all.length)),
    })),
  )

const sharedBySlashes = (line: PlacedLine, words = line.text, from = 0): Cell[] =>
  [...words.matchAll(/[^\s/|](?:[^/|]*[^\s/|])?/g)].map(({ 0: text, index }) => cellOf(line, text, from + index))

/** A short gap between words may not split them into cells. */
const wordsAlone = (line: PlacedLine): Cell[] =>
  /[.?!:,;]/.test(line.text)
    ? []
    : [...line.text.matchAll(/\S+/g)].map(({ 0: text, index }) => cellOf(line, text, index))

const cellOf = (line: PlacedLine, text: string, at: number): Cell => ({
  text,
  ...spanOf(partOf(line, { text: line.text, x: line.box.x, width: line.box.width }, at, at + text.length)),
})

function partOf(line: PlacedLine, cell: Pick<Cell, 'text' | 'x' | 'width'>, from: number, to: number): Box {
  const each = cell.width / Math.max(1, cell.text.length)
  return { ...line.box, x: cell.x + from * each, width: (to - from) * each }
}

const SMALLEST_BOX = 6 // points
const LARGEST_BOX = 26
const BOX_REACH = 260 // points

function optionsAtBoxes(line: PlacedLine, boxes: readonly Box[]): OptionRegion[] {
  const cells = cellsOf(line)
  return boxes.flatMap((box, at) => {
    const end = boxes[at + 1]?.x ?? Number.POSITIVE_INFINITY
    const behind = cells.filter(({ x }) => x >= box.x + box.width - 2 && x < end)
    const [first] = behind
    if (first && first.x - box.x < 40) {
      const last = behind.at(-1) ?? first
      const text = behind.map((cell) => cell.text).join(' ')
      return [regionOf(line, { text, x: first.x, width: last.x + last.width - first.x })]
    }
    const before = cells.findLast(({ x, width }) => x + width <= box.x + 2 && box.x - x - width < BOX_REACH)
    return before ? [regionOf(line, before)] : []
  })
}

function tickBoxes(line: PlacedLine, blank: Paper): Box[] {
  const page = blank.pages.find(({ number }) => number === line.page)
  const boxes = (page ? withRuledFrames(page.shapes ?? []) : []).flatMap(({ kind, box }) =>
    kind === 'frame' &&
    isTickBox(box) &&
    Math.abs(middleOf(box) - middleOf(line.box)) < line.box.height * 0.8 &&
    !isPrintedIn(box, cellsOf(line))
      ? [box]
      : [],
  )
  return boxes.toSorted((a, b) => a.x - b.x).filter((box, i, all) => i === 0 || box.x - (all[i - 1]?.x ?? 0) > 3)
}

const SAME_SIZE = 1.5 // points

/** A box drawn before an option becomes a sign in its text, so that it is read as one. */
export function withTickSigns(question: PrintedQuestion, blank: Paper): PrintedQuestion {
  const rows = question.lines.map((line) => ({
    line,
    boxes: tickBoxes(line, blank).filter((box) => cellsOf(line).some(({ x }) => isBefore(box, x))),
  }))
  const [first, ...others] = rows.flatMap(({ boxes }) => boxes)
  const alike = others.filter(
    (box) =>
      first &&
      Math.abs(box.width - first.width) < SAME_SIZE &&
      (Math.abs(box.x - first.x) < SAME_SIZE || Math.abs(box.y - first.y) < SAME_SIZE),
  )
  if (alike.length === 0 || alike.length * 2 < others.length) return question
  const texts = question.texts.map((text, i) => {
    const row = rows[i]
    if (!row || row.boxes.length === 0 || BEGINS_SIGNED.test(text)) return text
    let signed = text
    let end = text.length
    for (const box of row.boxes.toReversed()) {
      const cell = cellsOf(row.line).find(({ x }) => isBefore(box, x))
      const at = cell && end > 0 ? signed.lastIndexOf(cell.text, end - 1) : -1
      if (at < 0) continue
      signed = `${signed.slice(0, at)}○ ${signed.slice(at)}`
      end = at
    }
    return signed
  })
  return { ...question, texts }
}

const BEGINS_SIGNED = new RegExp(String.raw`^\s*[${TICK_SIGNS}]`, 'u')

const isBefore = (box: Box, x: number): boolean => x >= box.x + box.width - 2 && x - box.x < 40

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii']
const NUMBERED = /^\s*\(?(\d|[ivx]{1,4})[.)]\s*(?=\S)/i

function numberedRegions({ lines }: PrintedQuestion): OptionRegion[] {
  const found: OptionRegion[] = []
  for (const line of lines.slice(1))
    for (const cell of cellsOf(line)) {
      const label = NUMBERED.exec(cell.text)?.[1]?.toLowerCase()
      if (label === String(found.length + 1) || label === ROMAN[found.length]) found.push(regionOf(line, cell))
    }
  return found
}

/** The digits of a question's number may stand in boxes, too. */
const isPrintedIn = (box: Box, cells: readonly { text: string; x: number; width: number }[]): boolean =>
  cells.some(({ text, x, width }) => x < box.x + box.width - 2 && x + width > box.x + 2 && /[\p{L}\p{N}]/u.test(text))

const isTickBox = ({ width, height }: Box): boolean =>
  Math.min(width, height) >= SMALLEST_BOX &&
  Math.max(width, height) <= LARGEST_BOX &&
  Math.abs(width - height) < 0.3 * Math.max(width, height)

const middleOf = ({ y, height }: Box): number => y + height / 2
