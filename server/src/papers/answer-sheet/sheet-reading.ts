import type { Box } from '@assay/shared/papers.ts'
import { median } from '../../lib/numbers.ts'
import type { BubbleDarkness, OutsideInk } from './bubble-darkness.ts'
import type { BubbleGroup, SheetDesign } from './sheet-design.ts'

/** Why nothing on a page is read: wrong or missing code, lost marks, misplaced bars, or too little contrast. */
export type SheetProblem = 'code' | 'marks' | 'bars' | 'contrast'

export interface GroupReading extends GroupVerdict {
  kind: BubbleGroup['kind']
  id: string
  /** Around its circles and label, in the picture's pixels. */
  box: Box
}

export interface SheetReading {
  problem: SheetProblem | null
  /** Empty with a problem. */
  groups: GroupReading[]
}

export interface SheetPageToRead {
  /** From 1. */
  filePage: number
  copyId: string
  /** From 1. */
  page: number
  design: SheetDesign
}

/** Boxes are in points of the file's page as it lies. */
export interface SheetPageReading extends SheetReading {
  filePage: number
}

/** Why a group of circles has no reading and needs a person. */
const sheetFlags = ['none', 'double', 'faint', 'erased', 'crossed', 'unplaced'] as const
type SheetFlag = (typeof sheetFlags)[number]

/** Inside a circle, above that of an empty one, and around it. */
export interface BubbleInk extends BubbleDarkness, OutsideInk {}

export interface GroupVerdict {
  /** The index of the filled or ringed circle; null where it is flagged. */
  chosen: number | null
  flag: SheetFlag | null
  /** How far the darkest circle stands out from the next, relative to this sheet's marks: 1 is as clear as usual. */
  separation: number
}

interface PageMarks {
  /** Anything fainter is dust, noise or erased. */
  floor: number
  usual: number
  /** How dark the darkest tenth of such a mark is; 0 where the page has too few to tell. */
  usualPeak: number
  usualRing: number
}

/** No pencil so light, and no eraser so bad, on any sheet that was measured (`docs/lab/papers.md`). */
const LEAST_FLOOR = 0.045
const NOISE = 5
const LEAST_MARK = 0.12
/** Where a page has too few marks to tell how dark this student's are. */
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

/** A mark may be so much lighter than the student's others. */
const LEAST_SEPARATION = 0.4
/** Beside it another circle may be so dark, by it and by the student's other marks: what a good eraser leaves. */
const MOST_BESIDE = 0.25
/** The same where nothing in the other circle is as dark as a stroke of the student's: what a bad eraser leaves. */
const MOST_ERASED = 0.35

/** Share of a usual mark's darkest tenth; with less a circle was erased, as a thin stroke is as dark as a fill. */
const LEAST_PEAK = 0.5

/** Shares of a ring: of a plain one, and of what may be one, as rings around the next circles reach .3. */
const RING = 0.65
const LEAST_RING = 0.38
/** A fill is so dark on average by its darkest tenth, and strokes are not. */
const DENSE = 0.7
/** Where students make strokes, a mark is crossed out if it is so much darker than usual; so may be two strokes. */
const CROSSED_BY_LONG_ARMS = 1.05
const CROSSED = 1.3
const SURELY_CROSSED = 1.35

/**
 * Ink around circles is a change of mind: what is crossed out is no answer, and a ring is one where nothing else is.
 * What is not plain is left to a person.
 */
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
