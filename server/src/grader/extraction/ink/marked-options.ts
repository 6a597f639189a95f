import type { Box, Evidence, Paper } from '@assay/shared/papers.ts'
import type { AnswerRegion, Rubric } from '@assay/shared/rubrics.ts'
import { TICKED_SIGNS } from '@assay/shared/rules/choice-options.ts'
import { withRuledFrames } from '@assay/shared/rules/ruled-frames.ts'
import { matchBlankPages } from '../../layout/match-blank-pages.ts'
import { type OptionPlace, type OptionRegion, optionRegions } from '../../layout/option-regions.ts'
import { isInBox, type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'
import { differenceOf, isSame } from './added-ink.ts'

export interface MarkedOptions {
  values: string[]
  evidence: Evidence[]
}

interface Mark {
  page: number
  box: Box
  /** A ring or line at an option, or writing beside it; larger than a tick. */
  stroke: boolean
}

const MARK_TEXT = new RegExp(String.raw`^(?:\[\s?[xX✓✔*]\s?\]|[xX✓✔✗✘√←⇐*${TICKED_SIGNS}])$`, 'u')
const SMALLEST = 4 // points
const TALLEST = 46
const WIDEST = 260
const THIN = 3 // points
const REACH = 230 // points, to an option's box to tick
const LARGEST_TICK = 26 // points

export const isMarkText = (text: string): boolean => MARK_TEXT.test(text.trim())

/** A struck-out option does not count where another is marked. `drawn`: by shapes alone, not signs among the words. */
export function markedAmong(
  places: readonly OptionPlace[],
  blank: Paper,
  paper: Paper,
  pages: ReturnType<typeof matchBlankPages> = matchBlankPages(paper, blank),
  drawn = false,
): Map<string, MarkedOptions> {
  const found = new Map<string, MarkedOptions>()
  if (places.length === 0) return found
  const marked = new Map<OptionRegion, Mark[]>()
  for (const mark of [...drawnMarks(paper, blank, pages), ...(drawn ? [] : writtenMarks(paper, blank, pages))]) {
    const option = (pages.get(mark.page)?.pages ?? [])
      .flatMap(({ number, toPaperHeights }) =>
        places
          .filter(({ place }) => place.page === number)
          .map(({ place }) => ({ place, distance: distanceTo(mark.box, place.box, toPaperHeights) })),
      )
      .filter(({ distance }) => distance < (mark.stroke ? 1 : REACH))
      .toSorted((a, b) => a.distance - b.distance)[0]?.place
    if (option) marked.set(option, [...(marked.get(option) ?? []), mark])
  }
  for (const question of new Set(places.map((one) => one.question))) {
    const own = places.filter((one) => one.question === question && marked.has(one.place)).map(({ place }) => place)
    const standing = own.filter((place) => !isStruck(marked.get(place) ?? []))
    const untouched = places.filter((one) => one.question === question && !marked.has(one.place))
    const [left] = untouched
    // All but one struck out leaves that one; a line through the only mark may underline it.
    const chosen =
      standing.length > 0 ? standing : left && untouched.length === 1 && own.length > 1 ? [left.place] : own
    if (chosen.length === 0) continue
    found.set(question, {
      values: chosen.map(({ value }) => value),
      evidence: chosen.flatMap((place) =>
        (marked.get(place) ?? own.flatMap((one) => marked.get(one) ?? [])).map(({ page, box }) => ({
          page,
          box,
          quote: place.value,
        })),
      ),
    })
  }
  return found
}

const isStruck = (marks: readonly Mark[]): boolean =>
  marks.length > 1 || marks.some(({ box }) => box.height < THIN && box.width > box.height * 4)

/** In areas a person drew, or else where the question is printed. */
export function optionsOnBlank(rubric: Rubric, blank: Paper, questions: readonly PrintedQuestion[]): OptionPlace[] {
  const lines = visibleLines(blank)
  const printed = new Map(questions.map((question) => [question.id, question]))
  return rubric.questions.flatMap(({ id, number, kind, criteria, regions }) => {
    if (kind !== 'choice' && kind !== 'true_false') return []
    const expected = criteria[0]?.expected ?? ''
    const drawn = regions.filter((region) => region.drawn)
    const framed = lines.filter((line) => drawn.some((region) => isMiddleIn(line, region)))
    const question = printed.get(id)
    const places = [printedAs(id, number, framed), ...(question ? [question] : [])]
      .map((one) => optionRegions(one, kind, expected, blank))
      .find((found) => found.length >= 2)
    return (places ?? []).map((place) => ({ question: id, place }))
  })
}

const isMiddleIn = ({ page, box }: PlacedLine, region: AnswerRegion): boolean => {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  return page === region.page && isInBox(x, y, region.box)
}

const printedAs = (id: string, number: string, lines: PlacedLine[]): PrintedQuestion => ({
  id,
  number,
  mainNumber: 0,
  part: null,
  stem: [],
  lines,
  stemTexts: [],
  texts: lines.map(({ text }) => text),
  points: null,
})

function drawnMarks(paper: Paper, blank: Paper, pages: ReturnType<typeof matchBlankPages>): Mark[] {
  return paper.pages.flatMap(({ number, width, shapes = [] }) => {
    const { known, pages: blanks } = pages.get(number) ?? { known: false, pages: [] }
    // On an unknown page of the blank, print cannot be told from marks; on scans ink tells.
    if (!known || isScanned(pages, number)) return []
    const printed = blanks.flatMap(({ number: of, toPaperHeights }) => {
      const page = blank.pages.find((one) => one.number === of)
      const scale = page ? width / page.width : 1
      return withRuledFrames(page?.shapes ?? []).flatMap(({ box }) =>
        toPaperHeights(box.y).map((y) => ({
          x: box.x * scale,
          y,
          width: box.width * scale,
          height: box.height * scale,
        })),
      )
    })
    const large = withRuledFrames(shapes).filter(
      ({ box }) => Math.max(box.width, box.height) >= SMALLEST && box.height <= TALLEST && box.width <= WIDEST,
    )
    const print = printedAmong(
      large.map(({ box }) => box),
      printed,
    )
    const added = large.filter(({ box }) => !print.has(box))
    return added
      .filter(({ kind, box }) => kind !== 'mark' || !added.some((one) => one.kind === 'frame' && isSame(one.box, box)))
      .map(
        ({ kind, box }): Mark => ({
          page: number,
          box,
          stroke: kind === 'mark' && Math.max(box.width, box.height) > LARGEST_TICK,
        }),
      )
  })
}

const isScanned = (pages: ReturnType<typeof matchBlankPages>, page: number): boolean =>
  pages.get(page)?.pages.some(({ registration }) => registration) ?? false

function writtenMarks(paper: Paper, blank: Paper, pages: ReturnType<typeof matchBlankPages>): Mark[] {
  const printed = markTexts(visibleLines(blank))
  return markTexts(visibleLines(paper)).filter(
    ({ page, box }) =>
      !isScanned(pages, page) &&
      !(pages.get(page)?.pages ?? []).some(({ number, toPaperHeights }) =>
        printed.some(
          (print) =>
            print.page === number &&
            Math.abs(print.box.x - box.x) < TALLEST / 4 &&
            toPaperHeights(print.box.y).some((y) => Math.abs(y - box.y) < box.height),
        ),
      ),
  )
}

const markTexts = (lines: readonly PlacedLine[]): Mark[] =>
  lines.flatMap(({ page, box, text, cells }) =>
    (cells ?? [{ text, x: box.x, width: box.width }])
      .filter((cell) => isMarkText(cell.text))
      .map(({ x, width }) => ({ page, box: { ...box, x, width }, stroke: false })),
  )

/** Each printed shape accounts for only one, as a tick is about as large as its box. */
function printedAmong(shapes: readonly Box[], printed: readonly Box[]): Set<Box> {
  const found = new Set<Box>()
  const near = printed
    .flatMap((print) => shapes.filter((shape) => isSame(print, shape)).map((shape) => ({ print, shape })))
    .toSorted((a, b) => differenceOf(a.print, a.shape) - differenceOf(b.print, b.shape))
  const used = new Set<Box>()
  for (const { print, shape } of near) {
    if (used.has(print) || found.has(shape)) continue
    used.add(print)
    found.add(shape)
  }
  return found
}

/** Horizontal; infinite beside another row. */
function distanceTo(mark: Box, option: Box, toPaperHeights: (y: number) => number[]): number {
  const middle = mark.y + mark.height / 2
  const inRow = toPaperHeights(option.y + option.height / 2).some(
    (y) => Math.abs(y - middle) <= Math.max(option.height, 9) * 0.75,
  )
  if (!inRow) return Number.POSITIVE_INFINITY
  const [left, right] = [mark.x, mark.x + mark.width]
  if (right < option.x) return option.x - right
  if (left > option.x + option.width) return left - option.x - option.width
  return Math.abs((left + right) / 2 - (option.x + Math.min(option.width, 12) / 2)) / 100
}
