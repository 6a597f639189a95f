import type { Box, Shape } from '@assay/shared/papers.ts'
import { withRuledFrames } from '@assay/shared/rules/ruled-frames.ts'
import type { PageViewport } from 'pdfjs-dist'
import { bottom, overlapX, right, roundBox } from '../geometry/boxes.ts'
import { toPageBox } from '../geometry/matrix.ts'
import type { PageGraphics } from '../pdf/page-graphics.ts'
import type { RunStyle, TextRun } from './text-run.ts'

/** Points; a thicker rule is an area. */
const maxRule = 2.2
const minRule = 6
const minBar = 3
const minFrame = 6
/** More are a drawing or a grid. */
const maxShapes = 600
/** Bubbles, boxes, dots and ticks; in points. */
const minMark = 3
const maxMark = 26
/** A pen's stroke around or through an option; in points. */
const maxStroke = { width: 260, height: 46 }
/** More mean a diagram or a page full of writing. */
const maxMarks = 250
/** Of 1; lighter paint is a background. */
const darkest = 0.85
const step = 8

export interface PlacedGraphics {
  shapes: Shape[]
  /** Includes fraction bars, not frames' edges. */
  rules: Box[]
  edges: Box[]
  /** Vertical rules and frames' sides, which separate a table's cells. */
  sides: Box[]
  styleOf(run: Pick<TextRun, 'box'>): RunStyle | undefined
}

export function placeGraphics(
  graphics: PageGraphics,
  viewport: Pick<PageViewport, 'width' | 'height' | 'transform'>,
): PlacedGraphics {
  const shapes: Shape[] = []
  const marks: Shape[] = []
  const rules: Box[] = []
  const edges: Box[] = []
  const sides: Box[] = []
  const areas: { box: Box; colour: string }[] = []
  for (const { rect, fill, stroked, drawn } of graphics.paths) {
    const box = toPageBox(rect, viewport)
    const thin = Math.min(box.width, box.height) <= maxRule
    if (box.width > viewport.width * 1.2 || box.height > viewport.height * 0.97) continue
    if (thin && box.width >= minBar && box.width > box.height) rules.push(box)
    if (thin && box.height >= minFrame && box.height > box.width) sides.push(box)
    if (fill && isMark(box, { fill, stroked, drawn })) marks.push({ kind: 'mark', box: roundBox(box) })
    if (thin && Math.max(box.width, box.height) >= minRule) shapes.push({ kind: 'rule', box: roundBox(box) })
    else if (!thin && stroked && box.width >= minFrame && box.height >= minFrame) {
      shapes.push({ kind: 'frame', box: roundBox(box) })
      edges.push({ ...box, height: 0 }, { ...box, y: bottom(box), height: 0 })
      sides.push({ ...box, width: 0 }, { ...box, x: right(box), width: 0 })
    } else if (!thin && fill && fill !== '#ffffff' && box.height < 40) areas.push({ box, colour: fill })
  }
  const styled = new Map<number, { box: Box; style: RunStyle }[]>()
  for (const { rect, bold, colour } of graphics.styles) {
    const box = toPageBox(rect, viewport)
    const one = { box, style: { ...(bold ? { bold } : {}), ...(colour ? { colour } : {}) } }
    for (let row = Math.floor(box.y / step); row <= Math.floor(bottom(box) / step); row += 1)
      styled.set(row, [...(styled.get(row) ?? []), one])
  }
  return {
    shapes: [...(shapes.length > maxShapes ? [] : shapes), ...(marks.length > maxMarks ? [] : marks)],
    rules: withoutFrames(rules, sides),
    edges: [...rules, ...edges],
    sides,
    styleOf({ box }) {
      const y = box.y + box.height * 0.55
      const near = styled.get(Math.floor(y / step)) ?? []
      // The middle may be a space where each word is drawn separately.
      const own = [0.5, 0.25, 0.75, 0.1].reduce<RunStyle | null>(
        (found, at) => found ?? nearestStyle(near, box, box.x + box.width * at, y),
        null,
      )
      const x = box.x + box.width / 2
      const behind = areas.find((area) => holds(area.box, x, y) && area.box.height < box.height * 2.5)
      const underlined = rules.some(
        (rule) =>
          overlapX(rule, box) > 0.8 * box.width &&
          rule.width < box.width * 1.3 + 4 &&
          Math.abs(rule.y - (box.y + box.height * 0.88)) < box.height * 0.2,
      )
      if (!own?.bold && !own?.colour && !behind && !underlined) return undefined
      return { ...own, ...(behind ? { highlight: behind.colour } : {}), ...(underlined ? { underlined } : {}) }
    },
  }
}

/** A frame close around words has no fraction bars. */
function withoutFrames(rules: Box[], sides: readonly Box[]): Box[] {
  if (rules.length + sides.length > maxShapes) return rules
  const all = [...rules, ...sides].map((box): Shape => ({ kind: 'rule', box }))
  const left = new Set(withRuledFrames(all).map(({ box }) => box))
  return rules.filter((box) => left.has(box))
}

/** A bubble, box, tick or ring in a visible colour that is no word's background. */
function isMark(
  { width, height }: Box,
  { fill, stroked, drawn }: { fill: string; stroked: boolean; drawn: boolean },
): boolean {
  if (Math.min(width, height) < minMark || brightnessOf(fill) > darkest) return false
  if (Math.max(width, height) <= maxMark) return Math.min(width, height) > 0.4 * Math.max(width, height)
  return drawn && !stroked && width <= maxStroke.width && height <= maxStroke.height
}

/** 0 to 1, of `#rrggbb`. */
function brightnessOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  return 0.3 * r + 0.59 * g + 0.11 * b
}

/** Of texts over each other, the one whose place is most like the box. */
function nearestStyle(
  styled: readonly { box: Box; style: RunStyle }[],
  box: Box,
  x: number,
  y: number,
): RunStyle | null {
  let best: { style: RunStyle; apart: number } | null = null
  for (const { box: of, style } of styled) {
    if (!holds(of, x, y)) continue
    const apart = Math.abs(of.x - box.x) + Math.abs(right(of) - right(box)) + Math.abs(of.y - box.y)
    if (!best || apart < best.apart) best = { style, apart }
  }
  return best?.style ?? null
}

const holds = (box: Box, x: number, y: number): boolean =>
  x >= box.x - 1 && x <= right(box) + 1 && y >= box.y - 1.5 && y <= bottom(box) + 1.5
