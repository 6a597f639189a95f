import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { right, sameRow, union } from '../geometry/boxes.ts'
import { hiddenByPosition } from '../hidden-text/mark-hidden-lines.ts'
import { inReadingOrder } from './reading-order.ts'
import type { Direction, TextRun } from './text-run.ts'

/** A piece of a line: adjacent runs in a row. */
interface Segment {
  text: string
  box: Box
  direction: Direction
  size: number
  /** Sum of its letters' widths; much more than the box's width when they overlap. */
  spread: number
  hidden?: HiddenReason | null
}

/** Lines of a page in reading order, from its runs in the order of the content stream. */
export function toLines(runs: readonly TextRun[], page: { width: number; height: number }): Line[] {
  const all = toSegments(runs).map((segment) => ({
    ...segment,
    hidden: hiddenByPosition(segment.box, segment.size, page) ?? (isSqueezed(segment) ? 'tiny' : null),
  }))
  // Hidden text must not affect the reading order, or become part of a visible line.
  const { segments, columns } = inReadingOrder(all.filter((segment) => !segment.hidden))
  const lines = columns ? segments : joinRows(segments)
  return [...lines, ...all.filter((segment) => segment.hidden)].flatMap(({ text, box, hidden }) => {
    const clean = text.replace(/\s+/g, ' ').trim()
    if (clean === '') return []
    return [{ text: clean, box, source: 'text' as const, confidence: 1, ...(hidden ? { hidden } : {}) }]
  })
}

/** Letters printed over each other, or squeezed: even in the narrowest fonts they are a fifth of their height wide. */
function isSqueezed(segment: Segment): boolean {
  const letters = segment.text.replace(/\s/g, '').length
  const length = lengthOf(segment)
  // Some programs print bold text as the same word twice, slightly offset.
  return letters >= 3 && (length < 0.12 * segment.size * letters || segment.spread > 2.2 * length)
}

const lengthOf = ({ box, direction }: { box: Box; direction: Direction }): number =>
  direction % 180 === 0 ? box.width : box.height

function toSegments(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = []
  let current: Segment | null = null
  for (const run of runs) {
    if (run.text.trim() === '') {
      // Spaces separate words but have no ink: they must not widen a box or bridge a gap between cells.
      if (current && !current.text.endsWith(' ')) current.text += ' '
    } else if (current && continuesSegment(current, run)) {
      current.text += `${needsSpace(current, run) ? ' ' : ''}${run.text}`
      current.box = union(current.box, run.box)
      current.size = Math.max(current.size, run.size)
      current.spread += lengthOf(run)
    } else {
      current = {
        text: run.text,
        box: run.box,
        direction: run.direction,
        size: run.size,
        spread: lengthOf(run),
      }
      segments.push(current)
    }
    if (run.endsLine) current = null
  }
  return segments
}

function continuesSegment(segment: Segment, run: TextRun): boolean {
  if (segment.direction !== run.direction) return false
  if (!inRow(segment, run)) return false
  const gap = gapBetween(segment, run)
  const em = Math.max(segment.size, run.size)
  return gap > -em && gap < 1.5 * em
}

function needsSpace(segment: Segment, run: TextRun): boolean {
  if (/\s$/.test(segment.text) || /^\s/.test(run.text)) return false
  return gapBetween(segment, run) > 0.18 * Math.max(segment.size, run.size)
}

/** Distance from the end of the segment to the start of the run, in writing direction. */
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

/**
 * Joins the segments of a row into one line: right-aligned points belong to their question, and a label to what is written next to it.
 * Only where the page has no columns.
 */
function joinRows(segments: readonly Segment[]): Segment[] {
  const lines: Segment[] = []
  for (const segment of segments) {
    const last = lines.at(-1)
    if (last && last.direction === segment.direction && inRow(last, segment) && gapBetween(last, segment) >= 0) {
      last.text = `${last.text.trimEnd()} ${segment.text}`
      last.box = union(last.box, segment.box)
    } else lines.push({ ...segment })
  }
  return lines
}
