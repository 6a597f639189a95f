import type { Box } from '@assay/shared/papers.ts'
import { paperVersions } from '@assay/shared/rubrics.ts'
import type { TruthLetters } from '@assay/shared/rules/sheet-options.ts'
import type { SheetFormat, SheetLayout } from '../codes/page-code.ts'
import type { CopyToPrint } from '../codes/printed-copy.ts'
import { type Size, sheetSize } from '../codes/sheet-layout.ts'
import type { Point } from '../geometry/matrix.ts'

export const FEWEST_OPTIONS = 2
export const MOST_OPTIONS = 6
export const MOST_DIGITS = 12
/** Stored with its print, as the rubric may change later. */
export interface SheetDesign {
  layout: SheetLayout
  format: 'a4' | 'letter'
  questions: { id: string; number: string; options: number; truth?: TruthLetters }[]
  /** Digits of the grid for a student number; 0 for none. */
  digits: number
  versions: boolean
}

export interface SheetsToPrint {
  design: SheetDesign
  copies: readonly CopyToPrint[]
}

export interface BubbleGroup {
  kind: 'question' | 'digit' | 'version'
  /** The question's id, the digit's place from 0, or `version`. */
  id: string
  label: string
  /** Centres in points from the sheet's top left. */
  bubbles: { label: string; at: Point }[]
}

/** A black bar at the sheet's side: the pattern of long and short ones identifies the rows. */
interface TimingBar {
  y: number
  side: 'left' | 'right'
  /** `stem` is always black, `tip` only on a long bar. */
  stem: Box
  tip: Box
  long: boolean
}

export interface SheetPage {
  groups: BubbleGroup[]
  bars: TimingBar[]
  empty: { label: string; at: Point }[]
}

export const BUBBLE_RADIUS = 6.5
const ROW = 20
const PITCH = 20
const COLUMNS = 3
const FIRST_ROW = 134
const LABEL_WIDTH = 34
const DIGIT_PITCH = 17
const layouts: Record<SheetLayout, { side: number; bars: number; foot: number }> = {
  1: { side: 52, bars: 24, foot: 84 },
  2: { side: 58, bars: 32, foot: 100 },
}

export const sheetFormat = ({ format }: SheetDesign): SheetFormat => ({ name: format, landscape: false })

/** @throws {RangeError} */
export function layOutSheet(design: SheetDesign): SheetPage[] {
  for (const { options } of design.questions)
    if (!(options >= FEWEST_OPTIONS && options <= MOST_OPTIONS))
      throw new RangeError(`no circles for ${options} options`)
  if (design.digits > MOST_DIGITS) throw new RangeError(`no room for ${design.digits} digits`)
  const sheet = sheetSize(sheetFormat(design))
  const pages: SheetPage[] = []
  let left = design.questions
  do {
    const head = pages.length === 0 ? headGroups(design) : []
    const below = head.length === 0 ? FIRST_ROW : firstRowBelow(head)
    const rows = Math.floor((sheet.height - layouts[design.layout].foot - below) / ROW) + 1
    const own = left.slice(0, rows * COLUMNS)
    left = left.slice(own.length)
    const groups = own.map((question, i) =>
      questionGroup(question, columnOf(design, Math.floor(i / rows)), below + (i % rows) * ROW),
    )
    pages.push({
      groups: [...head, ...groups],
      bars: timingBars(sheet, design.layout),
      empty: emptyBubbles(sheet, design),
    })
  } while (left.length > 0)
  return pages
}

export const LABEL = { width: 32, size: 10, smallest: 6 }

/** In sizes of the font, a little wider than drawn, so that what fits here fits on paper. */
const letterWidth = (letter: string) =>
  /[ijlt1I .,;:()[\]'’|/-]/.test(letter) ? 0.4 : /[a-zA-Z\d]/.test(letter) ? 0.72 : 1

export const fitsLabel = (label: string): boolean =>
  LABEL.smallest * [...label].reduce((sum, letter) => sum + letterWidth(letter), 0) <= LABEL.width

export const letterOf = (index: number): string => String.fromCharCode(65 + index)

function columnOf(design: SheetDesign, column: number): number {
  const { side } = layouts[design.layout]
  return side + (column * (sheetSize(sheetFormat(design)).width - 2 * side)) / COLUMNS + LABEL_WIDTH
}

function questionGroup(
  { id, number, options, truth }: SheetDesign['questions'][number],
  x: number,
  y: number,
): BubbleGroup {
  const bubbles = Array.from({ length: options }, (_, i) => ({
    label: truth?.[i] ?? letterOf(i),
    at: [x + i * PITCH, y] as const,
  }))
  return { kind: 'question', id, label: number, bubbles }
}

function headGroups({ layout, digits, versions }: SheetDesign): BubbleGroup[] {
  const first = layouts[layout].side + LABEL_WIDTH
  const number = Array.from({ length: digits }, (_, place): BubbleGroup => {
    const x = first + place * PITCH
    const bubbles = Array.from({ length: 10 }, (_, i) => ({
      label: String(i),
      at: [x, FIRST_ROW + 22 + i * DIGIT_PITCH] as const,
    }))
    return { kind: 'digit', id: String(place), label: '', bubbles }
  })
  if (!versions) return number
  const x = first + (MOST_DIGITS + 3) * PITCH
  const y = FIRST_ROW + (digits > 0 ? 22 : 0)
  const bubbles = paperVersions.map((label, i) => ({ label, at: [x + i * PITCH, y] as const }))
  return [...number, { kind: 'version', id: 'version', label: 'Version', bubbles }]
}

const firstRowBelow = (groups: readonly BubbleGroup[]) =>
  Math.max(...groups.flatMap(({ bubbles }) => bubbles.map(({ at }) => at[1]))) + 34

function emptyBubbles(sheet: Size, { layout, questions }: SheetDesign): SheetPage['empty'] {
  const options = Array.from({ length: MOST_OPTIONS }, (_, i) => letterOf(i))
  const others = new Set(questions.flatMap(({ truth = '' }) => [...truth]))
  const labels = [...others].filter((label) => !options.includes(label)).concat(options)
  return labels.map((label, i) => ({
    label,
    at: [sheet.width - layouts[layout].side - (labels.length - 0.5 - i) * 16, 102] as const,
  }))
}

/** No five in a row come twice in 31 (x⁵ + x² + 1), so a sheet shifted by rows is noticed. */
function barSequence(length: number): boolean[] {
  const bits: number[] = [1, 0, 0, 1, 1]
  while (bits.length < length) bits.push((bits.at(-5) ?? 0) ^ (bits.at(-3) ?? 0))
  return bits.slice(0, length).map((bit) => bit === 1)
}

const BAR = { stem: 6, tip: 8, height: 5 }

function timingBars(sheet: Size, layout: SheetLayout): TimingBar[] {
  const { bars: edge, foot } = layouts[layout]
  const count = Math.floor((sheet.height - foot - 94) / ROW) + 1
  return barSequence(count).flatMap((long, i) =>
    (['left', 'right'] as const).map((side): TimingBar => {
      const y = 94 + i * ROW
      const box = (from: number, width: number): Box => ({
        x: side === 'left' ? from : sheet.width - from - width,
        y: y - BAR.height / 2,
        width,
        height: BAR.height,
      })
      return { y, side, stem: box(edge, BAR.stem), tip: box(edge + BAR.stem, BAR.tip), long }
    }),
  )
}
