import type { Box, Cell, Paper } from '@assay/shared/papers.ts'
import { mean } from '../../../lib/numbers.ts'
import { matchBlankPages } from '../../layout/match-blank-pages.ts'
import type { OptionPlace, OptionRegion } from '../../layout/option-regions.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import type { RegisteredPage } from '../pages/registered-pages.ts'
import { type AddedInk, findAddedInk } from './added-ink.ts'
import type { MarkedOptions } from './marked-options.ts'

const SMALLEST = 5 // points
const TALLEST = 60
const WIDEST = 260
/** How far beside an option, and before it, its box to tick may be; in points. */
const REACH = 230
const BEFORE = 60
/** A ring around a letter is dark on a quarter of its width, with a cross through it on more than a third. */
const CROSSED_OUT = 0.34
/** How much darker a crossed-out mark is than another of the question. */
const DARKER = 1.18
const SCRIBBLED = 1.5
/** How much darker a tick is that may be scribbled over. */
const DOUBTFUL = 1.25
const FAINT = 0.11 // the sides of an empty box alone are this dark
const BUBBLE = 14 // points; what is scribbled over is larger
const FILLED = 1.3 // times as dark as an empty box
const SIDES = 0.04

interface MarkOfOption {
  ink: AddedInk
  darkness: number
}

/** `unclear`: several are marked, and it cannot be told which one stands. */
export function inkedAmong(
  places: readonly OptionPlace[],
  blank: Paper,
  paper: Paper,
  registered: readonly Pick<RegisteredPage, 'page' | 'blankPage' | 'registration'>[],
): Map<string, MarkedOptions | 'unclear'> {
  const found = new Map<string, MarkedOptions | 'unclear'>()
  for (const on of registered) {
    const page = paper.pages.find(({ number }) => number === on.page)
    const own = places.filter(({ place }) => place.page === on.blankPage)
    if (!page || own.length === 0) continue
    const regions = own.map(({ place }) => place)
    const marks = new Map<OptionRegion, MarkOfOption[]>()
    for (const one of findAddedInk(on, page, blank))
      for (const place of placesOf(one, regions)) {
        const darkness = darknessAt(one, place.box)
        if (one.frame || !one.inBox || one.beyondBox || darkness > FAINT)
          marks.set(place, [...(marks.get(place) ?? []), { ink: one, darkness }])
      }
    for (const [question, options] of Map.groupBy(own, (one) => one.question)) {
      const empty = emptyBox(options.flatMap(({ place }) => (marks.get(place) ?? []).flatMap(inkOfFrame)))
      const marked = options.flatMap(({ place }) => {
        const all = (marks.get(place) ?? []).filter((mark) =>
          inkOfFrame(mark).every((dark) => dark > empty * FILLED + SIDES),
        )
        return all.length > 0 ? [{ place, marks: all }] : []
      })
      if (marked.length === 0 || found.has(question)) continue
      const chosen = standing(marked)
      found.set(
        question,
        chosen === null
          ? 'unclear'
          : {
              values: chosen.map(({ place }) => place.value),
              evidence: chosen.flatMap(({ place, marks }) =>
                marks.map((mark) => ({ page: on.page, box: mark.ink.box, quote: place.value })),
              ),
            },
      )
    }
  }
  return found
}

interface Marked {
  place: OptionRegion
  marks: MarkOfOption[]
}

/** A changed answer's first mark is crossed out. Null where nothing stands, or it is unclear what. */
function standing(marked: readonly Marked[]): Marked[] | null {
  const [only] = marked
  if (marked.length === 1 && only) return isCrossedOut(only) && isLarge(only) ? null : [only]
  const left = marked.filter((one) => !isCrossedOut(one))
  const lightestBox = Math.min(...left.map(darknessOf))
  const ticked = left.filter((one) => darknessOf(one) < lightestBox * SCRIBBLED)
  if (left.length > 1 && left.every(isInBox))
    return ticked.some((one) => darknessOf(one) > lightestBox * DOUBTFUL) ? null : ticked
  if (left.length > 0) return left
  const lightest = Math.min(...marked.map(darknessOf))
  const lighter = marked.filter((one) => darknessOf(one) < lightest * DARKER)
  return lighter.length === 1 ? lighter : null
}

/** With the sides, whose thin lines a scan may lose. */
function inkOfFrame({ ink }: MarkOfOption): number[] {
  if (!ink.frame) return []
  const inside = ink.rows.slice(Math.floor(ink.rows.length * 0.2), Math.ceil(ink.rows.length * 0.8))
  return [mean(inside)]
}

/** Most boxes are empty, and one may have lost some ink in the scan. */
function emptyBox(inks: readonly number[]): number {
  const sorted = inks.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

const darknessOf = ({ marks }: Marked): number => Math.max(...marks.map(({ darkness }) => darkness))
const isInBox = ({ marks }: Marked): boolean => marks.every(({ ink }) => ink.inBox)
const isLarge = ({ marks }: Marked): boolean => marks.some(({ ink }) => ink.onBlank.width > BUBBLE)

function isCrossedOut({ place, marks }: Marked): boolean {
  const middle = place.box.y + place.box.height / 2
  return marks.some(
    ({ ink, darkness }) =>
      (ink.rule && Math.abs(ink.onBlank.y + ink.onBlank.height / 2 - middle) < place.box.height * 0.3) ||
      (!ink.rule && !ink.inBox && darkness > CROSSED_OUT),
  )
}

function darknessAt({ onBlank, rows }: AddedInk, option: Box): number {
  if (rows.length < 2) return rows[0] ?? 0
  const middle = option.y + option.height / 2 - onBlank.y
  const own = rows.slice(Math.max(0, Math.round(middle) - 4), Math.max(1, Math.round(middle) + 5))
  return mean(own)
}

function placesOf({ onBlank, rule }: AddedInk, places: readonly OptionRegion[]): OptionRegion[] {
  const { width, height } = onBlank
  if (Math.max(width, height) < SMALLEST || height > TALLEST || width > WIDEST) return []
  const middle = onBlank.y + height / 2
  const isNear = ({ box }: OptionRegion) => Number.isFinite(distanceTo(onBlank, box))
  // Rings around options below each other run into one.
  const through = places.filter((place) => {
    const own = place.box.y + place.box.height / 2
    return height > place.box.height * 2.2 && own > onBlank.y + 5 && own < onBlank.y + height - 5 && isNear(place)
  })
  if (through.length > 0)
    return [...Map.groupBy(through, ({ box }) => Math.round(box.y / 5)).values()].flatMap((row) =>
      nearest(onBlank, row),
    )
  return nearest(
    onBlank,
    places.filter(({ box }) => {
      const own = box.y + box.height / 2
      if (rule && width > box.width * 1.4 + 8) return false
      return Math.abs(own - middle) <= (rule ? box.height : Math.max(box.height, 9)) * 0.75
    }),
  )
}

function nearest(mark: Box, places: readonly OptionRegion[]): OptionRegion[] {
  return places
    .map((place) => ({ place, distance: distanceTo(mark, place.box) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ place }) => place)
}

function distanceTo(mark: Box, option: Box): number {
  const middle = mark.x + mark.width / 2
  if (mark.x + mark.width < option.x) {
    const gap = option.x - mark.x - mark.width
    return gap < BEFORE ? gap : Number.POSITIVE_INFINITY
  }
  if (mark.x > option.x + option.width) {
    const gap = mark.x - option.x - option.width
    return gap < REACH ? gap : Number.POSITIVE_INFINITY
  }
  return Math.abs(middle - (option.x + Math.min(option.width, 12) / 2)) / 100
}

export function findSetOffOptions(
  places: readonly OptionPlace[],
  blank: Paper,
  paper: Paper,
  pages: ReturnType<typeof matchBlankPages> = matchBlankPages(paper, blank),
): Map<string, MarkedOptions> {
  const [blankLines, paperLines] = [visibleLines(blank), visibleLines(paper)]
  const styled = places.flatMap(({ question, place }) => {
    const before = styleOf(cellAt(blankLines, place.page, place, [place.box.y])?.cell)
    for (const [page, { pages: of }] of pages) {
      const match = of.find(({ number }) => number === place.page)
      const found = match && cellAt(paperLines, page, place, match.toPaperHeights(place.box.y))
      const after = styleOf(found?.cell)
      if (found && after !== '' && after !== before) return [{ question, place, line: found.line }]
    }
    return []
  })
  const found = new Map<string, MarkedOptions>()
  for (const [question, own] of Map.groupBy(styled, (one) => one.question))
    if (own.length < places.filter((one) => one.question === question).length)
      found.set(question, {
        values: own.map(({ place }) => place.value),
        evidence: own.map(({ place, line }) => ({ page: line.page, box: line.box, quote: place.value })),
      })
  return found
}

function cellAt(
  lines: readonly PlacedLine[],
  page: number,
  { box }: OptionRegion,
  heights: readonly number[],
): { line: PlacedLine; cell: Cell } | undefined {
  const line = lines.find(
    (one) =>
      one.page === page &&
      heights.some((y) => Math.abs(one.box.y - y) < Math.max(4, box.height * 0.5)) &&
      covers(one.box, box),
  )
  const cell = line?.cells?.find((one) => covers(one, box))
  return line && cell ? { line, cell } : undefined
}

const styleOf = (cell: Cell | undefined): string =>
  cell
    ? [cell.bold ? 'bold' : '', cell.colour ?? '', cell.highlight ?? '', cell.underlined ? 'underlined' : '']
        .join(' ')
        .trim()
    : ''

const covers = (a: { x: number; width: number }, b: { x: number; width: number }): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > Math.min(a.width, b.width) * 0.5
