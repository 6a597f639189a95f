import type { Box } from '@assay/shared/papers.ts'
import { bottom, overlapX, right, sameRow } from '../geometry/boxes.ts'

interface PositionedText {
  text: string
  box: Box
}

/** `stream` keeps the content stream's order; `rows` is OCR's, row by row across columns. */
export type GivenOrder = 'stream' | 'rows'

/** Keeps the stream's order unless it jumps, as to answers typed last or an early footer. */
export function inReadingOrder<T extends PositionedText>(
  segments: readonly T[],
  /** A table's edges run across its columns. */
  edges: readonly Box[] = [],
  given: GivenOrder = 'stream',
): { segments: T[]; gutter: number | null } {
  const between = findGutter(segments)
  const gutter = between !== null && isInTable(between, edges) ? null : between
  const ordered = given === 'rows' || isOutOfOrder(segments) ? orderByGeometry(segments, gutter) : [...segments]
  return { segments: ordered, gutter }
}

/** Rules cross the space between a table's columns, but not that between columns of text. */
function isInTable(gutter: number, rules: readonly Box[]): boolean {
  const heights = Map.groupBy(rules, ({ y }) => Math.round(y / 2))
  const across = [...heights.values()].filter((row) =>
    [gutter - 12, gutter, gutter + 12].every((x) => row.some((rule) => rule.x <= x + 1 && right(rule) >= x - 1)),
  )
  return across.length >= 3
}

function isOutOfOrder(segments: readonly PositionedText[]): boolean {
  let previous: PositionedText | undefined
  for (const [index, segment] of segments.entries()) {
    const { box } = segment
    const goesUp = previous && bottom(box) < previous.box.y + 0.3 * previous.box.height
    const wasBelow = (other: PositionedText) =>
      other.box.y > bottom(box) - 0.3 * box.height && overlapX(other.box, box) > 1
    if (goesUp && segments.slice(0, index).some(wasBelow)) return true
    previous = segment
  }
  return false
}

function orderByGeometry<T extends PositionedText>(segments: readonly T[], gutter: number | null): T[] {
  if (gutter === null) return orderByRows(segments)
  // Segments across the gutter (titles, figures) divide the page into bands, each read left column first.
  const ordered: T[] = []
  let left: T[] = []
  let rightColumn: T[] = []
  const flush = () => {
    for (const column of [left, rightColumn]) ordered.push(...orderByGeometry(column, findGutter(column)))
    left = []
    rightColumn = []
  }
  for (const segment of [...segments].sort((a, b) => a.box.y - b.box.y)) {
    if (right(segment.box) <= gutter) left.push(segment)
    else if (segment.box.x >= gutter) rightColumn.push(segment)
    else {
      flush()
      ordered.push(segment)
    }
  }
  flush()
  return ordered
}

function orderByRows<T extends PositionedText>(segments: readonly T[]): T[] {
  const rows: T[][] = []
  for (const segment of [...segments].sort((a, b) => a.box.y - b.box.y)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && sameRow(first.box, segment.box)) row.push(segment)
    else rows.push([segment])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.x - b.box.x))
}

/** Each column must hold a quarter of the text: points, numbers and margins do not. */
function findGutter(segments: readonly PositionedText[]): number | null {
  const numbered = gutterOfNumbers(segments)
  if (numbered !== null) return numbered
  if (segments.length < 8) return null
  const lettersIn = (text: string) => text.replace(/[\s_.…·]+/g, '').length
  const edges = [...new Set(segments.map((one) => Math.floor(one.box.x) - 1))].sort((a, b) => a - b)
  let best: { x: number; held: number; aligned: number } | null = null
  for (const x of edges) {
    const band = bandBeside(segments, x)
    if (!band) continue
    let [before, after, crossing, countBefore, countAfter] = [0, 0, 0, 0, 0]
    for (const { box, text } of band) {
      if (right(box) <= x) {
        before += lettersIn(text)
        countBefore += 1
      } else if (box.x >= x) {
        after += lettersIn(text)
        countAfter += 1
      } else crossing += lettersIn(text)
    }
    const share = 0.25 * (before + after + crossing)
    if (before < share || after < share || crossing > share || countBefore < 4 || countAfter < 4) continue
    // Labels, marks and codes are columns of a table.
    if (before < LEAST_LETTERS * countBefore || after < LEAST_LETTERS * countAfter) continue
    if (countsAcross(band, x) || isRightAligned(band, x)) continue
    const held = before + after - CROSSING * crossing
    const aligned = band.filter(({ box }) => box.x > x && box.x - x < 12).length
    if (!best || held > best.held || (held === best.held && aligned > best.aligned)) best = { x, held, aligned }
  }
  return best?.x ?? null
}

/** Letters beside a gutter that outweigh one crossing it. */
const CROSSING = 3
/** Average letters of a line in a column of text. */
const LEAST_LETTERS = 4
const NUMBERED = /^(\d{1,2})[.)]\s/
const LETTERED = /^\(?([A-Ha-h])[.):]?\s/

/** Options that continue across the page (“A … B … | C … D …”) are read as rows. */
function countsAcross(segments: readonly PositionedText[], x: number): boolean {
  const letterOf = (segment: PositionedText | undefined) =>
    LETTERED.exec(segment?.text ?? '')?.[1]
      ?.toLowerCase()
      .charCodeAt(0) ?? 0
  const rights = segments.filter((one) => one.box.x >= x)
  const across = rights.filter((one) => {
    if (letterOf(one) === 0) return false
    const before = segments
      .filter((other) => right(other.box) <= x && sameRow(other.box, one.box))
      .toSorted((a, b) => a.box.x - b.box.x)
    return before.length > 0 && letterOf(one) === letterOf(before.at(-1)) + 1
  })
  return across.length > 0 && across.length * 3 >= rights.length
}

/** Totals and marks at the right margin are no column of text. */
function isRightAligned(segments: readonly PositionedText[], x: number): boolean {
  const rights = segments.filter(({ box }) => box.x >= x)
  const end = Math.max(...rights.map(({ box }) => right(box)))
  const start = Math.min(...rights.map(({ box }) => box.x))
  const most = (count: number) => count >= 0.8 * rights.length
  return (
    most(rights.filter(({ box }) => end - right(box) < 4).length) &&
    !most(rights.filter(({ box }) => box.x - start < 4).length)
  )
}

/** Where numbering continues at the top of a second column: 1, 2 and beside them 3, 4. */
function gutterOfNumbers(segments: readonly PositionedText[]): number | null {
  const numbered = segments.flatMap((segment) => {
    const number = NUMBERED.exec(segment.text)?.[1]
    return number ? [{ number: Number(number), box: segment.box }] : []
  })
  if (numbered.length < 4) return null
  const least = Math.min(...numbered.map(({ box }) => box.x))
  const left = numbered.filter(({ box }) => box.x - least < 12)
  const [first, ...rest] = numbered.filter(({ box }) => box.x - least > 120)
  if (!first || rest.length === 0 || left.length < 2) return null
  const second = [first, ...rest]
  const run = [...left, ...second].every(({ number }, i, all) => i === 0 || number === (all[i - 1]?.number ?? 0) + 1)
  const descends = [left, second].every((column) =>
    column.every(({ box }, i) => i === 0 || box.y > (column[i - 1]?.box.y ?? 0)),
  )
  const aligned = rest.every(({ box }) => Math.abs(box.x - first.box.x) < 12)
  const beside = first.box.y < (left.at(-1)?.box.y ?? 0)
  const x = Math.floor(first.box.x) - 1
  const crossed = segments.some(({ box }) => box.y > (left[0]?.box.y ?? 0) - 1 && box.x < x && right(box) > x + 4)
  return run && descends && aligned && beside && !crossed ? x : null
}

/** Only where there is text on either side of x: headings above and lines below may cross it. */
function bandBeside<T extends PositionedText>(segments: readonly T[], x: number): T[] | null {
  const before = segments.filter(({ box }) => right(box) <= x)
  const after = segments.filter(({ box }) => box.x >= x)
  if (before.length < 4 || after.length < 4) return null
  const top = Math.max(Math.min(...before.map(({ box }) => box.y)), Math.min(...after.map(({ box }) => box.y)))
  const end = Math.min(
    Math.max(...before.map(({ box }) => bottom(box))),
    Math.max(...after.map(({ box }) => bottom(box))),
  )
  return segments.filter(({ box }) => bottom(box) > top && box.y < end)
}
