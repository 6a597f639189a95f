import type { Box } from '@assay/shared/papers.ts'
import { bottom, overlapX, right, sameRow } from '../geometry/boxes.ts'

interface PositionedText {
  text: string
  box: Box
}

/**
 * Content streams are mostly in reading order, also in columns and tables, so that order is preserved. Where it jumps (answers typed into a
 * finished page come last in the stream; a footer may come first) the order is computed from the positions.
 */
export function inReadingOrder<T extends PositionedText>(
  segments: readonly T[],
  rules: readonly Box[] = [],
): {
  segments: T[]
  /** The x between two columns; null where the page has one. */
  gutter: number | null
} {
  const between = findGutter(segments)
  const gutter = between !== null && isInTable(between, rules) ? null : between
  const ordered = isOutOfOrder(segments) ? orderByGeometry(segments, gutter) : [...segments]
  return { segments: ordered, gutter }
}

/** Rules run across the space between two columns of a table, not between columns of text. */
function isInTable(gutter: number, rules: readonly Box[]): boolean {
  const heights = new Map<number, Box[]>()
  for (const rule of rules) {
    const y = Math.round(rule.y / 2)
    heights.set(y, [...(heights.get(y) ?? []), rule])
  }
  const across = [...heights.values()].filter((row) =>
    [gutter - 12, gutter, gutter + 12].every((x) => row.some((rule) => rule.x <= x + 1 && right(rule) >= x - 1)),
  )
  return across.length >= 3
}

/** True when a segment is above an earlier one, and not in a different column. */
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
  // Segments across the gutter (titles, figures) divide the page into bands: in each, first the left column, then the right.
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

/** Top to bottom, and left to right within a row. */
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

/**
 * The x of the gutter between two columns, or null. Each column must have a quarter of the text: right-aligned points, question numbers
 * and margins are no columns.
 */
function findGutter(segments: readonly PositionedText[]): number | null {
  if (segments.length < 8) return null
  const lettersIn = (text: string) => text.replace(/[\s_.…·]+/g, '').length
  const edges = [...new Set(segments.map((one) => Math.floor(one.box.x) - 1))].sort((a, b) => a - b)
  let best: { x: number; crossing: number } | null = null
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
    if (!best || crossing < best.crossing) best = { x, crossing }
  }
  return best?.x ?? null
}

/** The stretch of the page where something stands on either side of x: a heading above and lines below it may cross. */
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
