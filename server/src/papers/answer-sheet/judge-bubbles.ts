import { median } from '../../lib/numbers.ts'
import type { BubbleDarkness } from './bubble-darkness.ts'

/** Why a group of circles has no reading and needs a person. */
export const sheetFlags = ['none', 'double', 'faint', 'erased', 'unplaced'] as const
export type SheetFlag = (typeof sheetFlags)[number]

export interface GroupVerdict {
  /** The index of the filled circle; null where it is flagged. */
  chosen: number | null
  flag: SheetFlag | null
  /** How far the darkest circle stands out from the next, relative to this sheet's marks: 1 is as clear as usual. */
  separation: number
}

export interface PageMarks {
  /** Anything fainter is dust, noise or erased. */
  floor: number
  usual: number
  /** How dark the darkest tenth of such a mark is; 0 where the page has too few to tell. */
  usualPeak: number
}

/** No pencil so light, and no eraser so bad, on any sheet that was measured (`docs/papers.md`). */
const LEAST_FLOOR = 0.045
const NOISE = 5
const LEAST_MARK = 0.12
/** Where a page has too few marks to tell how dark this student's are. */
const USUAL = 0.6
const FEWEST_MARKS = 4

/** @param groups darkness of each group's circles above that of an empty one */
export function measureMarks(groups: readonly (readonly BubbleDarkness[])[]): PageMarks {
  const sorted = groups.map((group) => group.toSorted((a, b) => b.mean - a.mean))
  const empty = sorted.flatMap((group) => group.slice(2).map(({ mean }) => mean))
  const middle = median(empty)
  const spread = 1.48 * median(empty.map((one) => Math.abs(one - middle)))
  const marks = sorted.flatMap(([darkest]) => (darkest && darkest.mean >= LEAST_MARK ? [darkest] : []))
  const inMiddle = (of: keyof BubbleDarkness) => median(marks.map((one) => one[of]))
  const few = marks.length < FEWEST_MARKS
  return {
    floor: Math.max(LEAST_FLOOR, NOISE * spread),
    usual: few ? USUAL : inMiddle('mean'),
    usualPeak: few ? 0 : inMiddle('peak'),
  }
}

/** A mark may be so much lighter than the student's others. */
const LEAST_SEPARATION = 0.4
/** Beside it another circle may be so dark, by it and by the student's other marks: what a good eraser leaves. */
const MOST_BESIDE = 0.25
/** The same where nothing in the other circle is as dark as a stroke of the student's: what a bad eraser leaves. */
const MOST_ERASED = 0.35

/** Share of a usual mark's darkest tenth; with less a circle was erased, as a thin stroke is as dark as a fill. */
const LEAST_PEAK = 0.5

export function judgeGroup(darkness: readonly BubbleDarkness[], { floor, usual, usualPeak }: PageMarks): GroupVerdict {
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
