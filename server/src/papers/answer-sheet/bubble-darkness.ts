import type { Box } from '@assay/shared/papers.ts'
import { mean } from '../../lib/numbers.ts'
import { apply, type Transform } from '../../lib/plane-transform.ts'
import type { Point } from '../geometry/matrix.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { BUBBLE_RADIUS } from './sheet-design.ts'

/** A scanned sheet, sampled by places on the printed one: in its points, from its top left. */
export interface SheetPicture {
  image: PageImage
  toPixels: Transform
}

/** 0 to 255, interpolated between pixels; 255 off the picture. */
export function brightnessAt({ image: { data, width, height }, toPixels }: SheetPicture, point: Point): number {
  const [px, py] = apply(toPixels, point)
  // The middle of a pixel is half a pixel from its corner.
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

/** The mean over the middle of a box, away from its edges. */
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

/** How dark the inside of a circle is: 0 for the paper around it, 1 for printed black. */
export interface BubbleDarkness {
  mean: number
  /** Of its darkest tenth: high for a thin stroke, low for what an eraser leaves. */
  peak: number
}

const PEAK = 0.1

/** Brightness of printed black on this sheet, and of the paper around a circle. */
export interface Tones {
  black: number
  paper: number
}

const darknessOf = (brightness: number, { black, paper }: Tones) => (paper - brightness) / Math.max(20, paper - black)

/** By how much paper beside a circle may be darker than beside the others of its group; darker is a ring's ink. */
const UNEVEN = 0.12

/** The tones of each circle of a group. */
export function tonesAround(picture: SheetPicture, centres: readonly Point[], black: number): Tones[] {
  const papers = centres.map((centre) => quantile(brightnesses(picture, centre, paperRing), 0.7))
  const lightest = { black, paper: Math.max(...papers) }
  return papers.map((paper) => (darknessOf(paper, lightest) > UNEVEN ? lightest : { black, paper }))
}

export function bubbleDarkness(picture: SheetPicture, centre: Point, tones: Tones): BubbleDarkness {
  const own = brightnesses(picture, centre, inside)
  return { mean: darknessOf(mean(own), tones), peak: darknessOf(quantile(own, PEAK), tones) }
}

/** Ink around a circle. */
export interface OutsideInk {
  /** Share of the directions in which there is some close by. */
  ring: number
  /** Strokes that leave it on opposite sides: two of a line through it, four of a cross. */
  arms: number
  /** Those that go well beyond it. */
  longArms: number
}

const DIRECTIONS = 32
const CLOSE_BY = [1.25, 1.33, 1.41, 1.49].map((radii) => around(radii * BUBBLE_RADIUS, DIRECTIONS))
/** A fill that goes over the line hardly gets there, and never on opposite sides. */
const beyondFill = around(1.4 * BUBBLE_RADIUS, DIRECTIONS)
/** Not yet another circle of a row. */
const wellBeyond = around(1.8 * BUBBLE_RADIUS, DIRECTIONS)
/** Darker is ink, 1 being printed black. */
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

/** Of a list that goes round: its end is beside its start. */
function middlesOfRuns(inked: readonly boolean[]): number[] {
  return inked.flatMap((isInk, from) => {
    if (!isInk || inked.at(from - 1)) return []
    let length = 1
    while (inked[(from + length) % inked.length]) length += 1
    return [from + (length - 1) / 2]
  })
}

const SEARCH = [-3, -2.25, -1.5, -0.75, 0, 0.75, 1.5, 2.25, 3]

/** The shift at which a group's printed circles are seen best, as paper stretches, and how well (0 to 1). */
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
