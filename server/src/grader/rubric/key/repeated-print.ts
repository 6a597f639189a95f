import type { Box, Paper, Shape } from '@assay/shared/papers.ts'
import { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'

/** How far a thing may be above or below a line that was found, to move with it; in points. */
const NEAR = 40
/** The same column on both papers: letters before the words may be others. */
const SAME_COLUMN = 20

/** Where a key that repeats the blank has its print: solutions between may have moved it, also to another page. */
export interface RepeatedPrint {
  /** Null where the key does not repeat what is there. */
  placeInKey(page: number, box: Box): { page: number; box: Box } | null
  /** The blank's print at the key's places, on pages of the key's numbers. */
  moved: Paper
}

export function findRepeatedPrint(blank: Paper, key: Paper): RepeatedPrint {
  const [printed, lines] = [visibleLines(blank), visibleLines(key)]
  const matches = matchPrintedLines(
    printed.map(({ text }) => text),
    lines.map(({ text }) => text),
  )
  const pairs = new Map<number, { from: PlacedLine; to: PlacedLine }[]>()
  for (const [at, { printedIndex }] of matches) {
    const [from, to] = [printed[printedIndex], lines[at]]
    if (from && to) pairs.set(from.page, [...(pairs.get(from.page) ?? []), { from, to }])
  }
  const placeInKey = (page: number, box: Box) => {
    const own = pairs.get(page) ?? []
    const nearest = own
      .map((pair) => ({ ...pair, distance: distanceOf(pair.from.box, box) }))
      .reduce<{ from: PlacedLine; to: PlacedLine; distance: number } | null>(
        (best, one) => (best && best.distance <= one.distance ? best : one),
        null,
      )
    if (!nearest || nearest.distance > NEAR) return null
    const { from, to } = nearest
    // The key's line may begin in the column before.
    const starts = [to.box.x, ...(to.cells ?? []).map((cell) => cell.x)]
    const isSameColumn = starts.some((start) => Math.abs(start - from.box.x) < SAME_COLUMN)
    const x = isSameColumn ? box.x : box.x + to.box.x - from.box.x
    // Fonts may tell their heights otherwise in the key's file.
    const down = to.box.y + to.box.height / 2 - from.box.y - from.box.height / 2
    return { page: to.page, box: { ...box, x, y: box.y + down } }
  }
  return { placeInKey, moved: movedPaper(blank, key, placeInKey) }
}

function movedPaper(blank: Paper, key: Paper, placeInKey: RepeatedPrint['placeInKey']): Paper {
  const pages = new Map(
    key.pages.map((page) => [page.number, { ...page, lines: [], shapes: [], ink: [] } as Paper['pages'][number]]),
  )
  for (const page of blank.pages) {
    for (const line of page.lines) {
      const place = placeInKey(page.number, line.box)
      const across = place ? place.box.x - line.box.x : 0
      const cells = line.cells?.map((cell) => ({ ...cell, x: cell.x + across }))
      if (place) pages.get(place.page)?.lines.push({ ...line, box: place.box, ...(cells ? { cells } : {}) })
    }
    for (const shape of page.shapes ?? []) {
      const place = placeInKey(page.number, shape.box)
      if (place) pages.get(place.page)?.shapes?.push({ ...shape, box: place.box } satisfies Shape)
    }
  }
  return { pages: [...pages.values()] }
}

/** From a line: its row counts, and columns beside it a little. */
function distanceOf(line: Box, box: Box): number {
  const gap = (from: number, size: number, to: number, toSize: number) =>
    Math.max(0, to - from - size, from - to - toSize)
  const rows = Math.abs(line.y + line.height / 2 - box.y - box.height / 2)
  return rows + 0.05 * gap(line.x, line.width, box.x, box.width)
}
