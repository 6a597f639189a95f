import type { Box } from '@assay/shared/papers.ts'
import { apply, invert } from '../../lib/plane-transform.ts'
import { findPageCode } from '../codes/find-page-code.ts'
import { LONGEST } from '../codes/read-page-codes.ts'
import { boundingBox, cornersOf, type Point } from '../geometry/matrix.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { BUBBLE_RADIUS, type BubbleGroup, layOutSheet, type SheetDesign, type SheetPage } from './sheet-design.ts'
import {
  type BubbleDarkness,
  type BubbleInk,
  boxBrightness,
  bubbleDarkness,
  type GroupReading,
  type GroupVerdict,
  judgeGroup,
  measureMarks,
  outsideInk,
  placeBubbles,
  quantile,
  type SheetPageReading,
  type SheetPageToRead,
  type SheetPicture,
  type SheetProblem,
  type SheetReading,
  type Tones,
  tonesAround,
} from './sheet-reading.ts'

/** @throws {PaperError} */
export async function readAnswerSheets(
  file: string,
  pages: readonly SheetPageToRead[],
  limits: PaperLimits,
  progress: Progress,
): Promise<SheetPageReading[]> {
  return withPdfium(file, async (document) => {
    const readings: SheetPageReading[] = []
    for (const [i, { filePage, design, ...code }] of pages.entries()) {
      const { width, height } = document.size(filePage)
      const image = await document.render(filePage, { scale: LONGEST / Math.max(width, height) }, limits, 'Gray')
      const { problem, groups } = await readAnswerSheet(image, design, code)
      const [sx, sy] = [width / image.width, height / image.height]
      const inPoints = groups.map(({ box, ...group }) => ({
        ...group,
        box: { x: box.x * sx, y: box.y * sy, width: box.width * sx, height: box.height * sy },
      }))
      readings.push({ filePage, problem, groups: inPoints })
      progress.page(i + 1, pages.length)
    }
    return readings
  })
}

/** Code corners are known to 0.6 points; a mark taken for another is off by far more. */
const MOST_CODE_ERROR = 4
/** Between printed black and paper, of 255. */
const LEAST_CONTRAST = 45
/** One long bar read as short is a stain; more of them are another row's. */
const MOST_WRONG_BARS = 1
/** The fourth may lie off a crooked scan; then every bar must fit three marks and the codes. */
const FEWEST_MARKS = 3
const LEAST_SEEN = 0.14

async function readAnswerSheet(
  image: PageImage,
  design: SheetDesign,
  { copyId, page }: { copyId: string; page: number },
): Promise<SheetReading> {
  const none = (problem: SheetProblem): SheetReading => ({ problem, groups: [] })
  const code = await findPageCode(image)
  const layout = layOutSheet(design)[page - 1]
  // Printed smaller, circles would lie elsewhere; none of ours is.
  const isOurs = code?.copyId === copyId && code.page === page && code.reduction === 0
  if (!code || !isOurs || !layout) return none('code')
  const toPixels = invert(code.toSheet)
  if (code.marks < FEWEST_MARKS || code.codeError > MOST_CODE_ERROR || !toPixels) return none('marks')
  const picture: SheetPicture = { image, toPixels }
  const tones = barTones(picture, layout)
  if (tones.paper - tones.black < LEAST_CONTRAST) return none('contrast')
  if (wrongBars(picture, layout, tones) > (code.marks < 4 ? 0 : MOST_WRONG_BARS)) return none('bars')
  return { problem: null, groups: readGroups(picture, layout, tones.black) }
}

function barTones(picture: SheetPicture, { bars }: SheetPage): Tones {
  const stems = bars.map(({ stem }) => boxBrightness(picture, stem))
  const gaps = bars.map(({ stem }) => boxBrightness(picture, { ...stem, y: stem.y + 8 }))
  return { black: quantile(stems, 0.5), paper: quantile(gaps, 0.5) }
}

function wrongBars(picture: SheetPicture, { bars }: SheetPage, { black, paper }: Tones): number {
  const isDark = (box: Box) => boxBrightness(picture, box) < (black + paper) / 2
  return bars.filter(({ stem, tip, long }) => !isDark(stem) || isDark(tip) !== long).length
}

function readGroups(picture: SheetPicture, { groups, empty }: SheetPage, black: number): GroupReading[] {
  const measure = (bubbles: BubbleGroup['bubbles']) => {
    const centres = bubbles.map(({ at }) => at)
    const { shift, seen } = placeBubbles(picture, centres, black)
    const placed = centres.map(([x, y]): Point => [x + shift[0], y + shift[1]])
    const tones = tonesAround(picture, placed, black)
    const ofEach = <T>(of: (picture: SheetPicture, centre: Point, tones: Tones) => T) =>
      placed.map((centre, i) => of(picture, centre, tones[i] ?? { black, paper: 255 }))
    return { seen, darkness: ofEach(bubbleDarkness), outside: ofEach(outsideInk) }
  }
  const measured = groups.map((group) => ({ group, ...measure(group.bubbles) }))
  const reference = measure(empty).darkness
  const printed = emptyDarkness(
    measured,
    empty.flatMap(({ label }, i) => (reference[i] ? [[label, reference[i]] as const] : [])),
  )
  const above = measured.map(({ group, darkness, outside }) =>
    darkness.map(({ mean, peak }, i): BubbleInk => {
      const none = printed.get(group.bubbles[i]?.label ?? '')
      const around = outside[i] ?? { ring: 0, arms: 0, longArms: 0 }
      return { mean: mean - (none?.mean ?? 0), peak: peak - (none?.peak ?? 0), ...around }
    }),
  )
  const marks = measureMarks(above)
  return measured.map(({ group, seen }, i): GroupReading => {
    const verdict: GroupVerdict =
      seen < LEAST_SEEN ? { chosen: null, flag: 'unplaced', separation: 0 } : judgeGroup(above[i] ?? [], marks)
    return { kind: group.kind, id: group.id, ...verdict, box: boxOf(picture, group) }
  })
}

interface Measured {
  group: BubbleGroup
  darkness: readonly BubbleDarkness[]
}

/** By label: circles meant to stay empty, and the lightest others, as a row of one digit may be filled (7777). */
function emptyDarkness(
  measured: readonly Measured[],
  reference: readonly (readonly [string, BubbleDarkness])[],
): Map<string, BubbleDarkness> {
  const letters = Map.groupBy(
    measured.filter(({ group }) => group.kind !== 'digit').flatMap(labelled),
    ({ label }) => label,
  )
  const known = new Map(reference)
  const empty = new Map<string, BubbleDarkness>()
  for (const [label, all] of letters) {
    const [light, kept] = [levelOf(all, LIGHT), known.get(label)]
    const least = (of: keyof BubbleDarkness) => Math.min(light[of], kept?.[of] ?? light[of])
    empty.set(label, { mean: least('mean'), peak: least('peak') })
  }
  const digits = measured.filter(({ group }) => group.kind === 'digit').flatMap((column) => labelled(column).slice(1))
  const usual = levelOf(digits, 0.5)
  for (const label of DIGITS) {
    const own = digits.filter((one) => one.label === label)
    const light = own.length > 0 ? levelOf(own, LIGHT) : usual
    const near = (of: keyof BubbleDarkness) =>
      Math.max(usual[of] - DIGITS_DIFFER[of], Math.min(usual[of] + DIGITS_DIFFER[of], light[of]))
    empty.set(label, { mean: near('mean'), peak: near('peak') })
  }
  return empty
}

const LIGHT = 0.3
const DIGITS = '0123456789'
/** Brightness of the lightest printed digit (1) and the darkest (8) from the middle, at 100 to 200 dpi. */
const DIGITS_DIFFER: BubbleDarkness = { mean: 0.025, peak: 0.06 }

interface LabelledBubble extends BubbleDarkness {
  label: string
}

const labelled = ({ group, darkness }: Measured): LabelledBubble[] =>
  group.bubbles
    .flatMap(({ label }, i) => (darkness[i] ? [{ label, ...darkness[i] }] : []))
    .sort((a, b) => b.mean - a.mean)

function levelOf(all: readonly BubbleDarkness[], share: number): BubbleDarkness {
  const level = (of: keyof BubbleDarkness) =>
    quantile(
      all.map((one) => one[of]),
      share,
    )
  return { mean: level('mean'), peak: level('peak') }
}

const MARGIN = BUBBLE_RADIUS + 5
const LABEL = 34

function boxOf({ toPixels }: SheetPicture, { kind, bubbles }: BubbleGroup): Box {
  const xs = bubbles.map(({ at }) => at[0])
  const ys = bubbles.map(({ at }) => at[1])
  const x = Math.min(...xs) - MARGIN - (kind === 'digit' ? 0 : LABEL - MARGIN)
  const y = Math.min(...ys) - MARGIN
  const [width, height] = [Math.max(...xs) + MARGIN - x, Math.max(...ys) + MARGIN - y]
  return boundingBox(cornersOf({ x, y, width, height }).map((corner) => apply(toPixels, corner)))
}
