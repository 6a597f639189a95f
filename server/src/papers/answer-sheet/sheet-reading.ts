import type { Box } from '@assay/shared/papers.ts'
import { mean, median } from '../../lib/numbers.ts'
import { apply, type Transform } from '../../lib/plane-transform.ts'
import type { Point } from '../geometry/matrix.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { BUBBLE_RADIUS, type BubbleGroup, type SheetDesign } from './sheet-design.ts'

export type SheetProblem = 'code' | 'marks' | 'bars' | 'contrast'

export interface GroupReading extends GroupVerdict {
  kind: BubbleGroup['kind']
  id: string
  box: Box
}

export interface SheetReading {
  problem: SheetProblem | null
  groups: GroupReading[]
}

export interface SheetPageToRead {
  filePage: number
  copyId: string
  page: number
  design: SheetDesign
}

/** Boxes are in points of the file's page as it lies. */
export interface SheetPageReading extends SheetReading {
  filePage: number
}

const sheetFlags = ['none', 'double', 'faint', 'erased', 'crossed', 'unplaced'] as const
type SheetFlag = (typeof sheetFlags)[number]

export interface BubbleInk extends BubbleDarkness, OutsideInk {}

export interface GroupVerdict {
  chosen: number | null
  flag: SheetFlag | null
  /** How far the darkest circle stands out from the next: 1 is usual on this sheet. */
  separation: number
}

interface PageMarks {
  /** Anything fainter is dust, noise or erased. */
  floor: number
  usual: number
  /** Of a mark's darkest tenth; 0 where the page has too few marks. */
  usualPeak: number
  usualRing: number
}

/** Lighter than any pencil, darker than any erasure measured (`docs/lab/papers.md`). */
const LEAST_FLOOR = 0.045
const NOISE = 5
const LEAST_MARK = 0.12
const USUAL = 0.6
const FEWEST_MARKS = 4

export function measureMarks(groups: readonly (readonly BubbleInk[])[]): PageMarks {
  const sorted = groups.map((group) => group.toSorted((a, b) => b.mean - a.mean))
  const empty = sorted.flatMap((group) => group.slice(2).map(({ mean }) => mean))
  const middle = median(empty)
  const spread = 1.48 * median(empty.map((one) => Math.abs(one - middle)))
  const marks = sorted.flatMap(([darkest]) => (darkest && darkest.mean >= LEAST_MARK ? [darkest] : []))
  const inMiddle = (of: keyof BubbleInk) => median(marks.map((one) => one[of]))
  const few = marks.length < FEWEST_MARKS
  return {
    floor: Math.max(LEAST_FLOOR, NOISE * spread),
    usual: few ? USUAL : inMiddle('mean'),
    usualPeak: few ? 0 : inMiddle('peak'),
    usualRing: few ? 0 : inMiddle('ring'),
  }
}

const LEAST_SEPARATION = 0.4
/** What a good eraser leaves in another circle, relative to the student's marks. */
const MOST_BESIDE = 0.25
/** What a bad eraser leaves, where nothing is as dark as one of the student's strokes. */
const MOST_ERASED = 0.35
/** Share of a usual mark's darkest tenth; below it a circle was erased. */
const LEAST_PEAK = 0.5
/** Shares of a ring: a plain one, and what may be one, as rings around the next circles reach .3. */
const RING = 0.65
const LEAST_RING = 0.38
/** Mean over darkest tenth: fills reach it, strokes do not. */
const DENSE = 0.7
const CROSSED_BY_LONG_ARMS = 1.05
const CROSSED = 1.3
const SURELY_CROSSED = 1.35

/** Ink around circles is a change of mind: crossed out is no answer, a ring is one where nothing else is. */
export function judgeGroup(group: readonly BubbleInk[], marks: PageMarks): GroupVerdict {
  const inks = group.map((ink) => inkOf(ink, marks))
  const verdict = judgeDarkness(
    group.map((ink, i) => (inks[i] === 'crossed' ? { mean: 0, peak: 0 } : ink)),
    marks,
  )
  if (inks.every((ink) => ink === 'inside')) return verdict
  const ringed = inks.indexOf('ringed')
  const crossed: GroupVerdict = { chosen: null, flag: 'crossed', separation: 0 }
  if (inks.includes('unclear') || inks.lastIndexOf('ringed') !== ringed) return crossed
  if (ringed < 0) return verdict.flag === 'none' ? crossed : verdict
  return verdict.flag === 'none' ? { chosen: ringed, flag: null, separation: group[ringed]?.ring ?? 0 } : crossed
}

function inkOf(
  { mean, peak, ring, arms, longArms }: BubbleInk,
  { usual, usualPeak, usualRing }: PageMarks,
): 'inside' | 'ringed' | 'crossed' | 'unclear' {
  if (mean < LEAST_MARK) return ring >= RING ? 'ringed' : ring >= LEAST_RING ? 'unclear' : 'inside'
  // Whoever fills beyond the line leaves ink all around each mark.
  if (ring >= RING && usualRing < LEAST_RING) return 'unclear'
  const fills = usual > DENSE * usualPeak
  if (arms < 2 || (!fills && mean < (longArms < 2 ? CROSSED : CROSSED_BY_LONG_ARMS) * usual)) return 'inside'
  return (fills ? mean > DENSE * peak : mean > SURELY_CROSSED * usual) ? 'crossed' : 'unclear'
}

function judgeDarkness(darkness: readonly BubbleDarkness[], { floor, usual, usualPeak }: PageMarks): GroupVerdict {
  const order = darkness.map((_, i) => i).sort((a, b) => (darkness[b]?.mean ?? 0) - (darkness[a]?.mean ?? 0))
  const [darkest, next] = [darkness[order[0] ?? 0], darkness[order[1] ?? 0]]
  const [first, second] = [darkest?.mean ?? 0, Math.max(0, next?.mean ?? 0)]
  const separation = Math.max(0, Math.min(1, (first - second) / Math.max(first, usual)))
  const flagged = (flag: SheetFlag): GroupVerdict => ({ chosen: null, flag, separation })
  if (first < floor) return flagged('none')
  if (second > 0.5 * first && second > floor) return flagged('double')
  const isErased = (one: BubbleDarkness | undefined) => (one?.peak ?? 0) < LEAST_PEAK * usualPeak
  const most = isErased(next) ? MOST_ERASED : MOST_BESIDE
  if (second > Math.max(floor, most * Math.min(first, usual))) return flagged('erased')
  if (first < LEAST_MARK || separation < LEAST_SEPARATION || isErased(darkest)) return flagged('faint')
  return { chosen: order[0] ?? null, flag: null, separation }
}

/** Sampled by points of the printed sheet, from its top left. */
export interface SheetPicture {
  image: PageImage
  toPixels: Transform
}

function brightnessAt({ image: { data, width, height }, toPixels }: SheetPicture, point: Point): number {
  const [px, py] = apply(toPixels, point)
  const [x, y] = [px - 0.5, py - 0.5]
  const [x0, y0] = [Math.floor(x), Math.floor(y)]
  if (!(x0 >= 0 && y0 >= 0 && x0 < width - 1 && y0 < height - 1)) return 255
  const [fx, fy] = [x - x0, y - y0]
  const at = y0 * width + x0
  const upper = (data[at] ?? 255) * (1 - fx) + (data[at + 1] ?? 255) * fx
  const lower = (data[at + width] ?? 255) * (1 - fx) + (data[at + width + 1] ?? 255) * fx
  return upper * (1 - fy) + lower * fy
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

export function boxBrightness(picture: SheetPicture, { x, y, width, height }: Box): number {
  const steps = [0.25, 0.375, 0.5, 0.625, 0.75]
  return mean(steps.flatMap((v) => steps.map((u) => brightnessAt(picture, [x + u * width, y + v * height]))))
}

const around = (radius: number, count: number): Point[] =>
  Array.from({ length: count }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / count
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })

const INSIDE = 0.74
const inside: Point[] = []
for (let dy = -BUBBLE_RADIUS; dy <= BUBBLE_RADIUS; dy += 0.6)
  for (let dx = -BUBBLE_RADIUS; dx <= BUBBLE_RADIUS; dx += 0.6)
    if (Math.hypot(dx, dy) <= INSIDE * BUBBLE_RADIUS) inside.push([dx, dy])
const paperRing = [...around(1.4 * BUBBLE_RADIUS, 16), ...around(1.6 * BUBBLE_RADIUS, 16)]
const ring = around(BUBBLE_RADIUS, 20)
const outerRing = around(1.35 * BUBBLE_RADIUS, 20)
const shifted = ([x, y]: Point, [dx, dy]: Point): Point => [x + dx, y + dy]
const brightnesses = (picture: SheetPicture, centre: Point, offsets: readonly Point[]) =>
  offsets.map((offset) => brightnessAt(picture, shifted(centre, offset)))

/** 0 for the paper around the circle, 1 for printed black. */
export interface BubbleDarkness {
  mean: number
  /** Of the darkest tenth: high for a thin stroke, low for what an eraser leaves. */
  peak: number
}

const PEAK = 0.1

export interface Tones {
  black: number
  paper: number
}

const darknessOf = (brightness: number, { black, paper }: Tones) => (paper - brightness) / Math.max(20, paper - black)
/** Paper beside a circle that is darker than this, compared with its group's, is a ring's ink. */
const UNEVEN = 0.12

export function tonesAround(picture: SheetPicture, centres: readonly Point[], black: number): Tones[] {
  const papers = centres.map((centre) => quantile(brightnesses(picture, centre, paperRing), 0.7))
  const lightest = { black, paper: Math.max(...papers) }
  return papers.map((paper) => (darknessOf(paper, lightest) > UNEVEN ? lightest : { black, paper }))
}

export function bubbleDarkness(picture: SheetPicture, centre: Point, tones: Tones): BubbleDarkness {
  const own = brightnesses(picture, centre, inside)
  return { mean: darknessOf(mean(own), tones), peak: darknessOf(quantile(own, PEAK), tones) }
}

interface OutsideInk {
  ring: number
  /** Strokes that leave the circle on opposite sides: two of a line through it, four of a cross. */
  arms: number
  longArms: number
}

const DIRECTIONS = 32
const CLOSE_BY = [1.25, 1.33, 1.41, 1.49].map((radii) => around(radii * BUBBLE_RADIUS, DIRECTIONS))
/** A fill over the line hardly gets there, and never on opposite sides. */
const beyondFill = around(1.4 * BUBBLE_RADIUS, DIRECTIONS)
const wellBeyond = around(1.8 * BUBBLE_RADIUS, DIRECTIONS)
const INK = 0.18

export function outsideInk(picture: SheetPicture, centre: Point, tones: Tones): OutsideInk {
  const inkAt = (offsets: readonly Point[]) =>
    brightnesses(picture, centre, offsets).map((brightness) => darknessOf(brightness, tones) > INK)
  const circles = CLOSE_BY.map(inkAt)
  const ring = mean(Array.from({ length: DIRECTIONS }, (_, i) => Number(circles.some((inked) => inked[i]))))
  const [near, far] = [inkAt(beyondFill), inkAt(wellBeyond)]
  const goesOn = (i: number) => far[i] || far.at(i - 1) || far[(i + 1) % DIRECTIONS]
  return { ring, arms: countArms(near), longArms: countArms(near.map((inked, i) => inked && goesOn(i) === true)) }
}

function countArms(inked: readonly boolean[]): number {
  const strokes = middlesOfRuns(inked)
  const areOpposite = (a: number, b: number) => Math.abs(Math.abs(a - b) - DIRECTIONS / 2) <= DIRECTIONS / 10
  return strokes.filter((one) => strokes.some((other) => areOpposite(one, other))).length
}

/** The list goes round: its end is beside its start. */
function middlesOfRuns(inked: readonly boolean[]): number[] {
  return inked.flatMap((isInk, from) => {
    if (!isInk || inked.at(from - 1)) return []
    let length = 1
    while (inked[(from + length) % inked.length]) length += 1
    return [from + (length - 1) / 2]
  })
}

const SEARCH = [-3, -2.25, -1.5, -0.75, 0, 0.75, 1.5, 2.25, 3]

/** The shift at which a group's printed circles are seen best, and how well (0 to 1). */
export function placeBubbles(
  picture: SheetPicture,
  centres: readonly Point[],
  black: number,
): { shift: Point; seen: number } {
  let best = { shift: [0, 0] as Point, seen: Number.NEGATIVE_INFINITY, score: Number.NEGATIVE_INFINITY }
  for (const dy of SEARCH)
    for (const dx of SEARCH) {
      const lines = centres.map((centre) => {
        const at = shifted(centre, [dx, dy])
        const outside = mean(brightnesses(picture, at, outerRing))
        return (outside - mean(brightnesses(picture, at, ring))) / Math.max(20, outside - black)
      })
      // Of equals the nearest: a filled circle tells little of its place.
      const score = mean(lines) - 0.004 * Math.hypot(dx, dy)
      if (score > best.score) best = { shift: [dx, dy], seen: mean(lines), score }
    }
  return { shift: best.shift, seen: best.seen }
}
