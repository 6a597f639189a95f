import type { PageImage } from '../../../server/src/papers/pdf/page-image.ts'

export interface Canvas extends PageImage {
  /** Pixels a point. */
  scale: number
}

type Random = () => number

/** 0 nothing of the light of a pixel, 1 all of it. Graphite lies on print and paper alike. */
function darken(canvas: Canvas, box: [number, number, number, number], amount: (x: number, y: number) => number): void {
  const { data, width, height, scale } = canvas
  const [x1, y1, x2, y2] = box
  for (let py = Math.max(0, Math.floor(y1 * scale)); py < Math.min(height, y2 * scale); py += 1)
    for (let px = Math.max(0, Math.floor(x1 * scale)); px < Math.min(width, x2 * scale); px += 1) {
      const taken = Math.max(0, Math.min(1, amount((px + 0.5) / scale, (py + 0.5) / scale)))
      const at = py * width + px
      data[at] = (data[at] ?? 255) * (1 - taken)
    }
}

/** Paper's grain shows in it. */
function stroke(
  canvas: Canvas,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  { thick, dark }: { thick: number; dark: number },
  random: Random,
): void {
  const length = Math.max(0.1, Math.hypot(x2 - x1, y2 - y1))
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
  const r = thick / 2 + 0.5
  const box: [number, number, number, number] = [
    Math.min(x1, x2) - r,
    Math.min(y1, y2) - r,
    Math.max(x1, x2) + r,
    Math.max(y1, y2) + r,
  ]
  darken(canvas, box, (x, y) => {
    const along = Math.max(0, Math.min(length, (x - x1) * ux + (y - y1) * uy))
    const distance = Math.hypot(x - x1 - along * ux, y - y1 - along * uy)
    const edge = Math.max(0, Math.min(1, (thick / 2 - distance) / 0.4 + 0.5))
    return edge * dark * (0.65 + 0.35 * random())
  })
}

const between = (random: Random, from: number, to: number) => from + (to - from) * random()

/** To and fro across a circle, more or less to its line and over it. */
export function fill(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const reach = between(random, 4.6, 7.2)
  const angle = between(random, 0, Math.PI)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const [ox, oy] = [between(random, -0.9, 0.9), between(random, -0.9, 0.9)]
  const thick = between(random, 1, 1.8)
  const step = thick * between(random, 0.6, 1.15)
  for (let v = -reach; v <= reach; v += step) {
    const half = Math.sqrt(Math.max(0, reach * reach - v * v)) * between(random, 0.75, 1.1)
    const w = v + between(random, -0.4, 0.4)
    const from = [x + ox - half * c - v * s, y + oy - half * s + v * c] as const
    const to = [x + ox + half * c - w * s, y + oy + half * s + w * c] as const
    stroke(canvas, [...from, ...to], { thick, dark: dark * between(random, 0.8, 1) }, random)
  }
}

export function cross(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const reach = between(random, 4.2, 7)
  const thick = between(random, 1.1, 2)
  const j = () => between(random, -1.2, 1.2)
  stroke(canvas, [x - reach + j(), y - reach + j(), x + reach + j(), y + reach + j()], { thick, dark }, random)
  stroke(canvas, [x - reach + j(), y + reach + j(), x + reach + j(), y - reach + j()], { thick, dark }, random)
}

/** Well beyond the circle, a line through it or, more often, two. */
export function crossOut(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const reach = between(random, 8, 12)
  const thick = between(random, 1.1, 2)
  const j = () => between(random, -1.5, 1.5)
  stroke(canvas, [x - reach + j(), y + reach + j(), x + reach + j(), y - reach + j()], { thick, dark }, random)
  if (random() < 0.2) return
  stroke(canvas, [x - reach + j(), y - reach + j(), x + reach + j(), y + reach + j()], { thick, dark }, random)
}

/** By hand: oval, off the middle, its ends apart or beyond each other. */
export function ring(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const [rx, ry] = [between(random, 8, 11), between(random, 8, 10.5)]
  const [cx, cy] = [x + between(random, -1, 1), y + between(random, -1, 1)]
  const thick = between(random, 1.1, 2)
  const start = between(random, 0, 2 * Math.PI)
  const steps = Math.round(between(random, 22, 27))
  const at = (i: number) => {
    const angle = start + (i * 2 * Math.PI) / 24
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)] as const
  }
  for (let i = 0; i < steps; i += 1) stroke(canvas, [...at(i), ...at(i + 1)], { thick, dark }, random)
}

/** Its long arm goes up to the right, at times into the next circle. */
export function tick(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const thick = between(random, 1.1, 2)
  const j = () => between(random, -1, 1)
  const [mx, my] = [x + j(), y + 4 + j()]
  stroke(canvas, [x - 5 + j(), y - 1 + j(), mx, my], { thick, dark }, random)
  stroke(canvas, [mx, my, x + between(random, 5, 10), y - between(random, 6, 11)], { thick, dark }, random)
}

/** A grey veil, rubbed beyond the circle. */
export function erased(canvas: Canvas, x: number, y: number, dark: number, random: Random): void {
  const left = dark * between(random, 0.03, 0.22)
  fill(canvas, x, y, left, random)
  smudge(canvas, x + between(random, -2, 2), y + between(random, -2, 2), between(random, 7, 13), left * 0.4, random)
}

export function smudge(canvas: Canvas, x: number, y: number, radius: number, dark: number, random: Random): void {
  darken(canvas, [x - radius, y - radius, x + radius, y + radius], (px, py) => {
    const distance = Math.hypot(px - x, py - y) / radius
    return distance >= 1 ? 0 : dark * (1 - distance * distance) * (0.7 + 0.6 * random())
  })
}

export function speck(canvas: Canvas, x: number, y: number, random: Random): void {
  const [dx, dy] = random() < 0.15 ? [between(random, -12, 12), between(random, -12, 12)] : [0.2, 0.2]
  stroke(canvas, [x, y, x + dx, y + dy], { thick: between(random, 0.4, 1.3), dark: between(random, 0.3, 0.9) }, random)
}
