import type { Box, Cell, HiddenReason, Line } from '@assay/shared/papers.ts'
import { right, sameRow, union } from '../geometry/boxes.ts'
import { hiddenByPosition } from '../hidden-text/mark-hidden-lines.ts'
import { flattenFormulas } from './formula-layout.ts'
import type { PlacedGraphics } from './placed-graphics.ts'
import { type GivenOrder, inReadingOrder } from './reading-order.ts'
import { isSuperscript, superscriptText } from './superscripts.ts'
import type { Direction, RunStyle, TextRun } from './text-run.ts'

interface Segment {
  text: string
  box: Box
  direction: Direction
  size: number
  baseline: number
  cells: Cell[]
  style: RunStyle | undefined
  /** Sum of letter widths; far above the box's width when letters overlap. */
  spread: number
  hidden?: HiddenReason | null
  /** A raised ending, as printed and as it stands in the text. */
  exponent?: { written: string; shown: string } | undefined
}

export function toLines(
  runs: readonly TextRun[],
  page: { width: number; height: number },
  graphics?: PlacedGraphics,
  given: GivenOrder = 'stream',
): Line[] {
  const styled = graphics
    ? flattenFormulas(runs, graphics.rules).map((run) => ({ ...run, style: graphics.styleOf(run) }))
    : runs
  const all = toSegments(styled, graphics?.sides ?? []).map((segment) => ({
    ...segment,
    hidden: hiddenByPosition(segment.box, segment.size, page) ?? (isSqueezed(segment) ? 'tiny' : null),
  }))
  // Hidden text must not affect the reading order, or become part of a visible line.
  const { segments, gutter } = inReadingOrder(
    all.filter((segment) => !segment.hidden),
    graphics?.edges,
    given,
  )
  const lines = joinRows(segments, gutter)
  return [...lines, ...all.filter((segment) => segment.hidden)].flatMap(({ text, box, cells, hidden }) => {
    const clean = tidy(text)
    if (clean === '') return []
    const parts = cells.flatMap((cell) => (tidy(cell.text) === '' ? [] : [{ ...cell, text: tidy(cell.text) }]))
    const plain = parts.length === 1 && Object.keys(parts[0] ?? {}).length === 3
    return [
      {
        text: clean,
        box,
        source: 'text' as const,
        confidence: 1,
        ...(plain || hidden ? {} : { cells: parts }),
        ...(hidden ? { hidden } : {}),
      },
    ]
  })
}

const tidy = (text: string): string =>
  text
    // TeX prints ≠ as a stroke and the sign it strikes.
    .replace(/\u0338\s*=/g, '≠')
    .replace(/\u0338\s*∈/g, '∉')
    .replace(/\s+/g, ' ')
    .trim()

/** Overprinted or squeezed letters: in the narrowest fonts a letter's width is a fifth of its height. */
function isSqueezed({ text, box, direction, size, spread }: Segment): boolean {
  // A flattened formula has letters above each other, and these signs are not printed.
  const letters = [...text.replace(/[\s()/]/g, '')].length
  const [length, height] = direction % 180 === 0 ? [box.width, box.height] : [box.height, box.width]
  const rows = Math.max(1, Math.floor(height / size))
  // Some programs print bold text twice, slightly offset.
  return letters >= 3 && (rows * length < 0.12 * size * letters || spread > 2.2 * length)
}

const lengthOf = ({ box, direction }: { box: Box; direction: Direction }): number =>
  direction % 180 === 0 ? box.width : box.height

function toSegments(runs: readonly TextRun[], sides: readonly Box[]): Segment[] {
  const segments: Segment[] = []
  let current: Segment | null = null
  for (const run of runs) {
    if (run.text.trim() === '') {
      // Spaces have no ink: they must not widen a box or bridge cells.
      if (current && !current.text.endsWith(' ')) current.text += ' '
    } else if (current && continuesSegment(current, run) && !isParted(current, run, sides)) {
      appendRun(current, run)
    } else {
      current = {
        text: run.text,
        box: run.box,
        direction: run.direction,
        size: run.size,
        baseline: run.baseline,
        cells: [toCell(run)],
        style: run.style,
        spread: lengthOf(run),
      }
      segments.push(current)
    }
    if (run.endsLine) current = null
  }
  return segments
}

function appendRun(segment: Segment, run: TextRun): void {
  const raised = isSuperscript(run, segment)
  const space = !raised && needsSpace(segment, run) ? ' ' : ''
  const last = segment.cells.at(-1)
  // “3” and “x” of an exponent come in two runs where their fonts differ.
  const before = raised && last ? segment.exponent : undefined
  const written = `${before?.written ?? ''}${run.text}`
  const whole = before ? superscriptText(written) : written
  const joined = before && whole !== written
  if (joined && last) {
    segment.text = segment.text.slice(0, -before.shown.length)
    last.text = last.text.slice(0, -before.shown.length)
  }
  const text = joined ? whole : raised ? superscriptText(run.text) : run.text
  segment.exponent = raised && text !== run.text ? { written: joined ? written : run.text, shown: text } : undefined
  if (last && (raised || sameStyle(segment.style, run.style))) {
    last.text += `${segment.text.endsWith(' ') && !last.text.endsWith(' ') ? ' ' : space}${text}`
    last.width = right(run.box) - last.x
  } else segment.cells.push({ ...toCell(run), text })
  segment.text += space + text
  segment.box = union(segment.box, run.box)
  if (run.size > segment.size * 1.05) segment.baseline = run.baseline
  segment.size = Math.max(segment.size, run.size)
  if (!raised) segment.style = run.style
  segment.spread += lengthOf(run)
}

const toCell = ({ text, box, style }: TextRun): Cell => ({ text, x: box.x, width: box.width, ...style })

const sameStyle = (a: RunStyle | undefined, b: RunStyle | undefined): boolean =>
  a?.bold === b?.bold && a?.colour === b?.colour && a?.highlight === b?.highlight && a?.underlined === b?.underlined

function continuesSegment(segment: Segment, run: TextRun): boolean {
  if (segment.direction !== run.direction) return false
  if (!inRow(segment, run)) return false
  const gap = gapBetween(segment, run)
  const em = Math.max(segment.size, run.size)
  return gap > -em && gap < 1.5 * em
}

function isParted({ box, direction }: Segment, run: TextRun, sides: readonly Box[]): boolean {
  const gap = run.box.x - right(box)
  if (direction !== 0 || gap < LEAST_PARTED) return false
  const middle = run.box.y + run.box.height / 2
  return sides.some(
    (side) =>
      side.x >= right(box) - 1 &&
      right(side) <= run.box.x + 1 &&
      side.y <= middle &&
      side.y + side.height >= middle &&
      side.height > run.box.height,
  )
}

/** Points; a narrower gap holds no cell's side. */
const LEAST_PARTED = 2

function needsSpace(segment: Segment, run: TextRun): boolean {
  if (/\s$/.test(segment.text) || /^\s/.test(run.text)) return false
  return gapBetween(segment, run) > 0.18 * Math.max(segment.size, run.size)
}

function gapBetween(segment: { box: Box; direction: Direction }, run: { box: Box }): number {
  switch (segment.direction) {
    case 0:
      return run.box.x - right(segment.box)
    case 90:
      return run.box.y - (segment.box.y + segment.box.height)
    case 180:
      return segment.box.x - right(run.box)
    case 270:
      return segment.box.y - (run.box.y + run.box.height)
  }
}

function inRow(a: { box: Box; direction: Direction }, b: { box: Box }): boolean {
  return a.direction % 180 === 0 ? sameRow(a.box, b.box) : sameRow(transposed(a.box), transposed(b.box))
}

const transposed = (box: Box): Box => ({ x: box.y, y: box.x, width: box.height, height: box.width })

/** Joins question and points, label and answer, but not two columns. */
function joinRows(segments: readonly Segment[], gutter: number | null): Segment[] {
  const lines: Segment[] = []
  for (const segment of segments) {
    // Tables are drawn cell by cell, and points in the margin before or after all the rest.
    const row = nearest(
      lines.filter((line) => isBeside(line, segment) && !isAcross(line, segment, gutter)),
      segment,
    )
    if (row) addToRow(row, segment)
    else lines.push({ ...segment })
  }
  // Some programs draw margins first: a row stands where most of it does.
  return gutter === null ? lines.toSorted((a, b) => (sameRow(a.box, b.box) ? 0 : a.box.y - b.box.y)) : lines
}

/** What is written over a row is not the whole row. */
function nearest(rows: readonly Segment[], segment: Segment): Segment | undefined {
  const distance = (row: Segment) => Math.abs(gapBetween(row, segment))
  return rows
    .toReversed()
    .reduce<Segment | undefined>((best, row) => (best && distance(best) <= distance(row) ? best : row), undefined)
}

function isBeside(line: Segment, segment: Segment): boolean {
  if (line.direction !== segment.direction || !inRow(line, segment)) return false
  if (gapBetween(line, segment) >= 0) return true
  // Drawn out of order, as points in the margin before the question's words.
  return (
    line.direction === 0 &&
    line.cells.every(({ x, width }) => x >= right(segment.box) - 1 || x + width <= segment.box.x + 1)
  )
}

const isAcross = (a: Segment, b: Segment, gutter: number | null): boolean =>
  gutter !== null &&
  ((right(a.box) <= gutter && b.box.x >= gutter - 1) || (right(b.box) <= gutter && a.box.x >= gutter - 1))

function addToRow(line: Segment, segment: Segment): void {
  const inOrder = gapBetween(line, segment) >= 0
  line.cells = [...line.cells, ...segment.cells]
  line.text = `${line.text.trimEnd()} ${segment.text}`
  line.box = union(line.box, segment.box)
  if (inOrder) return
  line.cells = line.cells.toSorted((a, b) => a.x - b.x)
  line.text = line.cells.map(({ text }) => text.trim()).join(' ')
}
