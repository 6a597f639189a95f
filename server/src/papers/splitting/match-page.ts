import { mean } from '../../lib/numbers.ts'
import { fitTransform, type PointPair } from '../../lib/plane-transform.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import { findShifts } from './fourier.ts'
import { COARSE, type LevelPage, type PagePrint, toPrint } from './page-print.ts'
import { findBlock, findBlocks, findTellingBlocks, type PrintBlock } from './print-blocks.ts'

export interface BlankPrint {
  page: number
  print: PagePrint
  blocks: PrintBlock[]
  telling: PrintBlock[][]
}

/** From the blank's page to the levelled scan: `x' = a x - b y + c`, `y' = b x + a y + d`. */
export interface Similarity {
  a: number
  b: number
  c: number
  d: number
}

interface PageMatch {
  /** Null where the scan is like none of the blank's pages. */
  page: number | null
  sure: boolean
  share: number
  /** Clockwise, to make the page upright. */
  turns: QuarterTurns
  /** `print` is the scanned page turned upright, `placed` where the blank's page lies on it. */
  print: PagePrint | null
  placed: Similarity | null
}

/** A worse fit is print that is alike by chance. */
const LEAST_FIT = 0.5
/** Points; blocks farther from where the others predict them were found by chance. */
const NEAR = 3.5
/** So many blocks, and such a share of them, identify a page of the blank. */
const LEAST_FOUND = 6
const LEAST_SHARE = 0.3
/** Pages of another exam with the same heading and phrases have up to 0.4. */
const SURE_SHARE = 0.5
/** With fewer telling blocks stains and writing would decide. */
const LEAST_TELLING = 3
/** The fit assumed for a page without telling blocks, between print that is there and chance. */
const UNTOLD = 0.5
const PLAINLY = 0.15

export function prepareBlank(prints: readonly PagePrint[]): BlankPrint[] {
  const pages = prints.map((print, i) => ({ page: i + 1, print, blocks: findBlocks(print) }))
  return pages.map((one) => ({
    ...one,
    telling: pages.map((other) => (other === one ? [] : findTellingBlocks(one.print, other.print))),
  }))
}

interface Candidate {
  index: number
  found: Set<number>
  share: number
  placed: Similarity
  print: PagePrint
  turns: QuarterTurns
}

/** As it is, fitted to the margins, or a little larger, as copiers do. */
const SCALES = [1, 0.965, 1.035, 0.93]
const CLOSELY = 3
/** At this share no other size is tried. */
const PLAIN = 0.75

export async function matchPage(level: LevelPage, blanks: readonly BlankPrint[]): Promise<PageMatch> {
  const none: PageMatch = { page: null, sure: false, share: 0, turns: 0, print: null, placed: null }
  const [first] = blanks
  if (!first) return none
  const { width, height } = level.image
  const lies = (turns: QuarterTurns) => (turns % 2 ? height > width : width > height)
  const shapes = new Set(blanks.map(({ print }) => print.width > print.height))
  const [upright, ...others] = ([0, 2, 1, 3] as const).filter((turns) => shapes.has(lies(turns)))
  const best = new Map<number, Candidate>()
  const isPlain = () => [...best.values()].some(({ share }) => share >= PLAIN)
  for (const scale of SCALES)
    for (const turns of [upright === undefined ? [] : [upright], others]) {
      if (isPlain()) break
      for (const one of await candidatesAt(level, blanks, turns, scale))
        if (one.share > (best.get(one.index)?.share ?? -1)) best.set(one.index, one)
    }
  const ranked = [...best.values()].sort((a, b) => b.share - a.share)
  const [top] = ranked
  if (!top || top.found.size < LEAST_FOUND || top.share < LEAST_SHARE) return { ...none, share: top?.share ?? 0 }
  const sure = top.share >= SURE_SHARE && ranked.every((other) => other === top || isPlainlyOther(blanks, top, other))
  const page = blanks[top.index]?.page ?? null
  return { page, sure, share: top.share, turns: top.turns, print: top.print, placed: top.placed }
}

/** Compares print that only one of the two pages has, where each of them would lie. */
function isPlainlyOther(blanks: readonly BlankPrint[], top: Candidate, other: Candidate): boolean {
  const ofTop = blanks[top.index]?.telling[other.index] ?? []
  const ofOther = blanks[other.index]?.telling[top.index] ?? []
  if (ofTop.length + ofOther.length < LEAST_TELLING) return false
  const own = ofTop.length === 0 ? UNTOLD : meanFit(top, ofTop)
  const others = ofOther.length === 0 ? UNTOLD : meanFit(other, ofOther)
  return own - others >= PLAINLY
}

function meanFit({ print, placed }: Candidate, blocks: readonly PrintBlock[]): number {
  const fits = blocks.map((block) => Math.max(0, findBlock(print, block.pattern, apply(placed, block), 4).fit))
  return mean(fits)
}

async function candidatesAt(
  level: LevelPage,
  blanks: readonly BlankPrint[],
  turns: readonly QuarterTurns[],
  scale: number,
): Promise<Candidate[]> {
  const rough: { index: number; x: number; y: number; fit: number; print: PagePrint; turns: QuarterTurns }[] = []
  for (const turn of turns) {
    const print = await toPrint(level, turn, scale)
    for (const [index, blank] of blanks.entries()) {
      if (blank.blocks.length === 0) continue
      const norm = blank.print.norm * print.norm
      const isPossible = (x: number, y: number) => isOnSheet(print, blank.print, x * COARSE, y * COARSE)
      // Where much is written, its lines fit best at places that the print cannot have.
      for (const { x, y, fit } of findShifts(print.coarse, blank.print.coarse, 2, isPossible))
        rough.push({ index, x: x * COARSE, y: y * COARSE, fit: fit / norm, print, turns: turn })
    }
  }
  rough.sort((a, b) => b.fit - a.fit)
  const chosen: typeof rough = []
  for (const one of rough) {
    if (chosen.some(({ index, turns: other }) => index === one.index && other === one.turns)) continue
    chosen.push(one)
    if (chosen.length >= CLOSELY + 1) break
  }
  return chosen.flatMap(({ index, x, y, print, turns: turn }) => {
    const blank = blanks[index]
    const placed = blank && lookClosely(print, blank, { x, y })
    return placed ? [{ index, print, turns: turn, ...placed }] : []
  })
}

/** Share of the page's size; farther away lies another question with the same words. */
const FARTHEST = 0.08

function isOnSheet(page: PagePrint, blank: PagePrint, x: number, y: number): boolean {
  const off = (shift: number, size: number, own: number) => Math.abs(shift - (size - own) / 2)
  return (
    off(x, page.width, blank.width) <= FARTHEST * blank.width + Math.abs(page.width - blank.width) / 2 &&
    off(y, page.height, blank.height) <= FARTHEST * blank.height + Math.abs(page.height - blank.height) / 2
  )
}

interface FoundBlock {
  index: number
  from: { x: number; y: number }
  to: { x: number; y: number }
}

function lookClosely(
  print: PagePrint,
  { blocks }: BlankPrint,
  shift: { x: number; y: number },
): Pick<Candidate, 'found' | 'share' | 'placed'> | null {
  const find = (placed: Similarity, reach: number, step: number): FoundBlock[] =>
    blocks.flatMap((block, index) => {
      if (index % step !== 0) return []
      const at = findBlock(print, block.pattern, apply(placed, block), reach)
      return at.fit >= LEAST_FIT ? [{ index, from: block, to: at }] : []
    })
  const first = find({ a: 1, b: 0, c: shift.x, d: shift.y }, 10, blocks.length > 40 ? 3 : 1)
  const rough = agreeing(first)
  if (!rough) return null
  // A second look finds blocks that skew had moved too far away.
  const again = find(rough.placed, 4, 1)
  const final = agreeing(again) ?? rough
  const found = new Set(final.members.map(({ index }) => index))
  return { found, share: found.size / blocks.length, placed: final.placed }
}

const apply = ({ a, b, c, d }: Similarity, { x, y }: { x: number; y: number }) => ({
  x: a * x - b * y + c,
  y: b * x + a * y + d,
})

/** The placement most blocks agree on, of all that two distant blocks give (RANSAC, without chance). */
function agreeing(found: readonly FoundBlock[]): { placed: Similarity; members: FoundBlock[] } | null {
  if (found.length < 4) return null
  let best: FoundBlock[] = []
  const step = Math.max(1, Math.floor(found.length / 24))
  for (let i = 0; i < found.length; i += step)
    for (let j = i + 1; j < found.length; j += step) {
      const placed = fromTwo(found[i], found[j])
      if (!placed) continue
      const members = found.filter((one) => isNear(placed, one))
      if (members.length > best.length) best = members
    }
  if (best.length < 4) return null
  const placed = fit(best)
  return placed && { placed, members: found.filter((one) => isNear(placed, one)) }
}

function isNear(placed: Similarity, { from, to }: FoundBlock): boolean {
  const at = apply(placed, from)
  return Math.hypot(at.x - to.x, at.y - to.y) <= NEAR
}

/** Scanners and copiers change a page's size by some percent. */
const LARGEST_CHANGE = 0.09

function fromTwo(one: FoundBlock | undefined, two: FoundBlock | undefined): Similarity | null {
  if (!one || !two) return null
  const [x, y] = [two.from.x - one.from.x, two.from.y - one.from.y]
  const [u, v] = [two.to.x - one.to.x, two.to.y - one.to.y]
  const length = x * x + y * y
  if (length < 60 * 60) return null
  const [a, b] = [(u * x + v * y) / length, (v * x - u * y) / length]
  if (Math.abs(a - 1) > LARGEST_CHANGE || Math.abs(b) > LARGEST_CHANGE) return null
  return { a, b, c: one.to.x - (a * one.from.x - b * one.from.y), d: one.to.y - (b * one.from.x + a * one.from.y) }
}

function fit(found: readonly FoundBlock[]): Similarity | null {
  const pairs = found.map(({ from, to }): PointPair => ({ from: [from.x, from.y], to: [to.x, to.y] }))
  const fitted = fitTransform(pairs, 'similarity')
  return fitted && { a: fitted[0], b: fitted[3], c: fitted[2], d: fitted[5] }
}
