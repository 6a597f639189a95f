import type { PageImage } from '../pdf/page-image.ts'

interface Dot {
  x: number
  y: number
}

const OFF_ROW = 3
const FEWEST = 6
const OFF_PITCH = 0.08
/** Half of a dot with its grey edge, in pixels at 200 dpi. */
const RADIUS = 3
const INK = 200
/** The foot of a round letter is shorter. */
const LONG_STROKE = 4
/** Rows searched upwards for letters, the share of ink in their lowest row, and from where on dots hang below it. */
const LOOK_UP = 12
const FOOT_SHARE = 0.4
const HANGS = 2

/** Tesseract misreads letters touched by leader dots (o as a). Strokes through such a place stay. */
export function eraseAttachedDots(image: PageImage, dots: readonly Dot[], pitch: number): void {
  const rows = rowsOf(dots).filter(({ length }) => length >= FEWEST)
  const first = Math.min(...rows.map(([dot]) => dot?.x ?? 0))
  const last = Math.max(...rows.map((row) => row.at(-1)?.x ?? 0))
  for (const row of rows) {
    const places = [...between(row, pitch), ...beyond(row, pitch, first, last)]
    const hang = hangFrom(image, places, pitch)
    for (const place of places) eraseDot(image, place, hang ? LONG_STROKE : 1)
  }
}

/** Whether dots hang below the letters: what is above a dot is then a stroke only if it goes on. */
function hangFrom(image: PageImage, places: readonly Dot[], pitch: number): boolean {
  const inkAt = Array.from({ length: LOOK_UP + 1 }, (_, up) =>
    places.reduce((sum, { x, y }) => {
      const row = Math.round(y) - up
      let ink = 0
      for (let at = Math.round(x) + RADIUS + 1; at < x + pitch - RADIUS; at += 1)
        if ((image.data[row * image.width + at] ?? 255) < INK) ink += 1
      return sum + ink
    }, 0),
  )
  const most = Math.max(...inkAt)
  return inkAt.findIndex((ink) => ink >= FOOT_SHARE * most) >= HANGS
}

function rowsOf(dots: readonly Dot[]): Dot[][] {
  const rows: Dot[][] = []
  for (const dot of dots.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row && dot.y - (row.at(-1)?.y ?? 0) <= OFF_ROW) row.push(dot)
    else rows.push([dot])
  }
  return rows.map((row) => row.toSorted((a, b) => a.x - b.x))
}

function between(row: readonly Dot[], pitch: number): Dot[] {
  return row.flatMap((dot, index) => {
    const next = row[index + 1]
    const steps = next ? Math.round((next.x - dot.x) / pitch) : 0
    if (!next || steps < 2) return []
    const [across, down] = [(next.x - dot.x) / steps, (next.y - dot.y) / steps]
    if (Math.abs(across - pitch) > OFF_PITCH * pitch) return []
    return Array.from({ length: steps - 1 }, (_, i) => ({ x: dot.x + (i + 1) * across, y: dot.y + (i + 1) * down }))
  })
}

function beyond(row: readonly Dot[], pitch: number, first: number, last: number): Dot[] {
  const [start, end] = [row[0], row.at(-1)]
  if (!start || !end) return []
  const count = (length: number) => Math.max(0, Math.floor(length / pitch + 0.5))
  return [
    ...Array.from({ length: count(start.x - first) }, (_, i) => ({ x: start.x - (i + 1) * pitch, y: start.y })),
    ...Array.from({ length: count(last - end.x) }, (_, i) => ({ x: end.x + (i + 1) * pitch, y: end.y })),
  ]
}

function eraseDot({ data, width, height }: PageImage, dot: Dot, stroke: number): void {
  const [x0, x1] = [Math.round(dot.x) - RADIUS, Math.round(dot.x) + RADIUS]
  const [y0, y1] = [Math.round(dot.y) - RADIUS, Math.round(dot.y) + RADIUS]
  if (x0 < 1 || y0 < 1 || x1 >= width - 1 || y1 >= height - 1) return
  const isInk = (x: number, y: number) => (data[y * width + x] ?? 255) < INK
  const isStroke = (x: number, from: number, step: number) =>
    Array.from({ length: stroke }, (_, i) => from + i * step).every((y) => y >= 0 && y < height && isInk(x, y))
  const stems = new Set<number>()
  for (let x = x0; x <= x1; x += 1) if (isStroke(x, y0 - 1, -1) || isStroke(x, y1 + 1, 1)) stems.add(x)
  for (let y = y0; y <= y1; y += 1) {
    // The arc of a letter goes on at either side.
    if (isInk(x0 - 1, y) && isInk(x1 + 1, y)) continue
    for (let x = x0; x <= x1; x += 1) if (!stems.has(x)) data[y * width + x] = 255
  }
}
