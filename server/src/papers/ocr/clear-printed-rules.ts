import type { PageImage } from '../pdf/page-image.ts'
import { eraseAttachedDots } from './attached-dots.ts'
import { findInkBlobs, type InkBlob } from './ink-blobs.ts'
import { type RuledLine, removeRuledLines } from './ruled-lines.ts'

/** Fine dots are scanned grey. */
const GREY = 190

export function clearPrintedRules(image: PageImage): { rules: RuledLine[]; blobs: InkBlob[]; letters: InkBlob[] } {
  const rules = removeRuledLines(image)
  const grey = findInkBlobs(image, GREY)
  const letters = removeDotLeaders(image, grey) ? findInkBlobs(image, GREY) : grey
  return { rules, blobs: findInkBlobs(image), letters }
}

/** Pixels at 200 dpi. */
const SMALLEST = 2
const LARGEST = 8
const NEAREST = 5
const FARTHEST = 30
const OFF_ROW = 2.5
const OFF_PITCH = 2.5
/** A shorter row may be an ellipsis. */
const FEWEST = 8
const MOST_HIDDEN = 9
const MOST_BEFORE = 60
const FLAT = 6
const SHORTEST = 90

interface Dot {
  x: number
  y: number
  blob: InkBlob
}

/** Tesseract reads the dots as full stops and parts of letters. False where there were none. */
function removeDotLeaders(image: PageImage, blobs: readonly InkBlob[]): boolean {
  const dots = blobs
    .filter(({ x0, x1, y0, y1 }) => x1 - x0 < LARGEST && y1 - y0 < LARGEST && x1 - x0 >= SMALLEST - 1)
    .map((blob): Dot => ({ x: (blob.x0 + blob.x1) / 2, y: (blob.y0 + blob.y1) / 2, blob }))
    .sort((a, b) => a.x - b.x)
  const rows = Map.groupBy(dots, ({ y }) => Math.floor(y / 8))
  const near = (x: number, y: number): Dot | undefined => {
    const row = Math.floor(y / 8)
    let best: Dot | undefined
    for (const one of [row - 1, row, row + 1])
      for (const dot of rows.get(one) ?? [])
        if (
          Math.abs(dot.x - x) <= OFF_PITCH &&
          Math.abs(dot.y - y) <= OFF_ROW &&
          (!best || Math.abs(dot.x - x) < Math.abs(best.x - x))
        )
          best = dot
    return best
  }
  const leaders = new Set<Dot>()
  const pitches: number[] = []
  for (const dot of dots) {
    if (leaders.has(dot)) continue
    const chain = chainFrom(dot, rows, near)
    if (chain.length < FEWEST) continue
    for (const one of chain) leaders.add(one)
    const [first, last] = [chain[0], chain.at(-1)]
    if (first && last) pitches.push((last.x - first.x) / (chain.length - 1))
  }
  const [pitch] = pitches.toSorted((a, b) => a - b).slice(Math.floor(pitches.length / 2))
  if (pitch)
    for (const dot of dots) if (!leaders.has(dot)) for (const one of sparseChain(dot, pitch, near)) leaders.add(one)
  if (pitch) for (const dot of [...leaders]) for (const one of sparseChain(dot, -pitch, near, 1)) leaders.add(one)
  if (pitch) for (const dot of [...leaders]) for (const one of beginning(dot, pitch, near)) leaders.add(one)
  const gone = new Set([...leaders].map(({ blob }) => blob))
  for (const blob of brokenLines(blobs.filter((one) => !gone.has(one)))) gone.add(blob)
  for (const blob of gone) eraseBlob(image, blob)
  if (pitch) eraseAttachedDots(image, [...leaders], pitch)
  return gone.size > 0
}

/** Finely dotted lines are scanned as dots and dashes of any length, flatter than letters. */
function brokenLines(blobs: readonly InkBlob[]): InkBlob[] {
  const flat = blobs.filter(({ y0, y1 }) => y1 - y0 < FLAT).toSorted((a, b) => a.x0 - b.x0)
  const open: { blobs: InkBlob[]; y: number; x1: number }[] = []
  const found: InkBlob[] = []
  const close = (line: (typeof open)[number]) => {
    const length = line.x1 - (line.blobs[0]?.x0 ?? 0)
    if (line.blobs.length >= FEWEST && length >= SHORTEST) found.push(...line.blobs)
  }
  for (const blob of flat) {
    const y = (blob.y0 + blob.y1) / 2
    for (let i = open.length - 1; i >= 0; i -= 1) {
      const line = open[i]
      if (!line || blob.x0 - line.x1 <= FARTHEST) continue
      close(line)
      open.splice(i, 1)
    }
    const line = open.find((one) => Math.abs(one.y - y) <= OFF_ROW - 1)
    if (line) {
      line.blobs.push(blob)
      line.y = (3 * line.y + y) / 4
      line.x1 = Math.max(line.x1, blob.x1)
    } else open.push({ blobs: [blob], y, x1: blob.x1 })
  }
  for (const line of open) close(line)
  return found
}

type Near = (x: number, y: number) => Dot | undefined

function chainFrom(first: Dot, rows: Map<number, Dot[]>, near: Near): Dot[] {
  const row = Math.floor(first.y / 8)
  const next = [row - 1, row, row + 1]
    .flatMap((one) => rows.get(one) ?? [])
    .filter((dot) => dot.x - first.x >= NEAREST && dot.x - first.x <= FARTHEST && Math.abs(dot.y - first.y) <= OFF_ROW)
    .sort((a, b) => a.x - b.x)[0]
  if (!next) return []
  const chain = [first, next]
  for (;;) {
    const [before, last] = [chain.at(-2), chain.at(-1)]
    if (!before || !last) return chain
    const found = near(last.x + (last.x - before.x), last.y)
    if (!found || found.x <= last.x + 1) return chain
    chain.push(found)
  }
}

/** Dots at multiples of the pitch: letters hide the others. */
function sparseChain(first: Dot, pitch: number, near: Near, fewest = FEWEST): Dot[] {
  const chain = [first]
  let hidden = 0
  let [x, y] = [first.x, first.y]
  while (hidden <= MOST_HIDDEN) {
    x += pitch
    const found = near(x, y)
    if (found) {
      chain.push(found)
      ;[x, y] = [found.x, found.y]
      hidden = 0
    } else hidden += 1
  }
  return chain.length >= fewest ? chain : []
}

function beginning(first: Dot, pitch: number, near: Near): Dot[] {
  if (near(first.x - pitch, first.y)) return []
  for (let steps = MOST_BEFORE; steps > MOST_HIDDEN; steps -= 1) {
    const found = near(first.x - steps * pitch, first.y)
    if (found) return [found]
  }
  return []
}

function eraseBlob({ data, width, height }: PageImage, { x0, y0, x1, y1 }: InkBlob): void {
  for (let y = Math.max(0, y0 - 1); y <= Math.min(height - 1, y1 + 1); y += 1)
    data.fill(255, y * width + Math.max(0, x0 - 1), y * width + Math.min(width - 1, x1 + 1) + 1)
}
