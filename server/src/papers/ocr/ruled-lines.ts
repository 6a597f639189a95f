import type { PixelBox } from '../geometry/boxes.ts'
import type { PageImage } from '../pdf/page-image.ts'

/** In pixels of the page image. */
export type RuledLine = PixelBox
/** A thin line may be scanned grey. */
const LINE_GREY = 176
const WIDEST_GAP = 3
/** Dotted lines have less; removed here, letters' feet between the dots would go too. */
const SOLID = 0.85
/** A quarter of an inch at 200 dpi, which no letter has. */
const SHORTEST_ACROSS = 70
const SHORTEST_DOWN = 100
/** The side of a box for a short answer. */
const SHORTEST_SIDE = 36
const NEAR_END = 5
const THICKEST = 7
const PALE = 232
/** Letters standing on a line or hanging through it are not thin. */
const THIN_SHARE = 0.6
const THIN_SHARE_OF_STRIKE = 0.2
const UNBROKEN = 0.97

/** Tesseract reads lines to write on, tables and frames as letters. Letters that cross a line keep their strokes. */
export function removeRuledLines(image: PageImage): RuledLine[] {
  const across = mergeRuns(erase(image, findRuns(image, false, SHORTEST_ACROSS), false))
  const down = findRuns(image, true, SHORTEST_SIDE)
  erase(
    image,
    down.filter((run) => run.to - run.from >= SHORTEST_DOWN || joinsRules(run, across)),
    true,
  )
  return across
}

function joinsRules({ at, from, to }: Run, rules: readonly RuledLine[]): boolean {
  const across = rules.filter(({ x0, x1 }) => at >= x0 - NEAR_END && at <= x1 + NEAR_END)
  return (
    across.some(({ y1 }) => Math.abs(from - y1) <= NEAR_END) && across.some(({ y0 }) => Math.abs(to - y0) <= NEAR_END)
  )
}

type Run = { at: number; from: number; to: number }

function findRuns({ data, width, height }: PageImage, down: boolean, shortest: number): Run[] {
  const [lines, length, stepLine, step] = down ? [width, height, 1, width] : [height, width, width, 1]
  const runs: Run[] = []
  for (let at = 0; at < lines; at += 1) {
    let [from, last, dark] = [-1, -1, 0]
    let index = at * stepLine
    for (let i = 0; i < length; i += 1, index += step) {
      if ((data[index] ?? 255) >= LINE_GREY) continue
      if (from < 0 || i - last > WIDEST_GAP + 1) {
        if (from >= 0 && last - from >= shortest && dark > SOLID * (last - from)) runs.push({ at, from, to: last })
        from = i
        dark = 0
      }
      last = i
      dark += 1
    }
    if (from >= 0 && last - from >= shortest && dark > SOLID * (last - from)) runs.push({ at, from, to: last })
  }
  return runs
}

/** Only where a run is thin; one mostly thicker than a line is a row of letters. */
function erase({ data, width, height }: PageImage, runs: readonly Run[], down: boolean): Run[] {
  const [lines, stepLine, step] = down ? [width, 1, width] : [height, width, 1]
  const extents = runs.map(({ at, from, to }) => {
    const first = new Int32Array(to - from + 1).fill(-1)
    const last = new Int32Array(to - from + 1).fill(-1)
    for (let i = from; i <= to; i += 1) {
      const index = at * stepLine + i * step
      if ((data[index] ?? 255) >= PALE) continue
      let [top, end] = [at, at]
      while (top > 0 && at - top <= THICKEST && (data[index - (at - top + 1) * stepLine] ?? 255) < LINE_GREY) top -= 1
      while (end < lines - 1 && end - at <= THICKEST && (data[index + (end - at + 1) * stepLine] ?? 255) < LINE_GREY)
        end += 1
      first[i - from] = top
      last[i - from] = end
    }
    return { first, last }
  })
  return runs.filter(({ at, from, to }, which) => {
    const { first, last } = extents[which] ?? { first: new Int32Array(), last: new Int32Array() }
    const thick = [...first].flatMap((top, i) => (top < 0 ? [] : [(last[i] ?? top) - top + 1]))
    const middle = thick.toSorted((a, b) => a - b)[Math.floor(thick.length * 0.1)] ?? THICKEST
    const most = Math.min(THICKEST, middle + 2)
    const thin = thick.filter((one) => one <= most).length
    // What strikes words out goes through their letters, but never stops between them.
    const least = thick.length >= UNBROKEN * (to - from + 1) ? THIN_SHARE_OF_STRIKE : THIN_SHARE
    if (thin < least * thick.length) return false
    for (let i = from; i <= to; i += 1) {
      const [top, end] = [first[i - from] ?? -1, last[i - from] ?? -1]
      if (top < 0 || end - top + 1 > most) continue
      for (let line = Math.max(0, top - 1); line <= Math.min(lines - 1, end + 1); line += 1)
        data[at * stepLine + i * step + (line - at) * stepLine] = 255
    }
    return true
  })
}

function mergeRuns(runs: readonly Run[]): RuledLine[] {
  const lines: RuledLine[] = []
  for (const { at, from, to } of runs) {
    const line = lines.findLast(({ x0, x1, y1 }) => at - y1 <= 2 && from <= x1 + 12 && to >= x0 - 12)
    if (line) {
      line.y1 = at
      line.x0 = Math.min(line.x0, from)
      line.x1 = Math.max(line.x1, to)
    } else lines.push({ x0: from, x1: to, y0: at, y1: at })
  }
  return lines
}
