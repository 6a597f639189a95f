import type { Box, Page, Paper } from '@assay/shared/papers.ts'
import type { Sharp } from 'sharp'
import type { Picture } from '../grader.ts'
import { type MatchedBlankPage, matchBlankPages, mayBeRotated } from '../layout/match-blank-pages.ts'
import { isNameFieldLine, type PlacedLine, placedLines } from '../layout/paper-lines.ts'

/** In points; handwriting extends above and below its label's line. */
const ROOM = 10
/** In points; a scan rarely lies exactly like the blank. */
const SCAN_ROOM = 16
/** Not only a class or a date. */
const ASKS_NAME = /\bname\b/i
/** “Physics 8b Name: ____” */
const NAME_WITHIN = /\bname\s*(?:\([^)]*\)\s*)?(?::|_{2,}|\.{3,})/i
/** Lowest place of a first page's name field, as a share of its height. */
const TOP = 0.25
/** Share of a first page's height, covered without a name row: better an answer's first words than a name. */
const HEAD = 0.1
/** The same of other pages, where names are written in case sheets come apart. */
const MARGIN = 0.06

interface NameRow {
  top: number
  bottom: number
  asksName: boolean
}

/**
 * Finds by page what shows who somebody is. Pages may be turned and in any order: an unrecognised one is covered like
 * each missing page and, where OCR failed, from every side. `identifyingLines` index all lines in order.
 */
export function findNameRegions(
  paper: Paper,
  blank: Paper,
  identifyingLines: (lines: readonly string[]) => ReadonlySet<number>,
  codeBoxes: (page: Page, mayLieOnSide: boolean) => Box[] = () => [],
): Map<number, Box[]> {
  const recognised = matchBlankPages(paper, blank)
  const seen = placedLines(paper).filter(({ hidden }) => !hidden)
  const identifying = identifyingLines(seen.map(({ text }) => text))
  const printed = placedLines(blank).filter((line) => !line.hidden && isNameRow(line))
  return new Map(
    paper.pages.map((page) => {
      const { known = false, pages = [] } = recognised.get(page.number) ?? {}
      const own = seen
        .filter((line, i) => line.page === page.number && (identifying.has(i) || isNameRow(line)))
        .map((line) => nameRowOf(line, line.box.y, line.box.height, ROOM))
      const asPrinted = pages.flatMap((of) => printedRows(printed, of, page))
      const isFirst = !known || pages.some(({ number }) => number === 1)
      // On an unrecognised page the blank's rows are a guess.
      const hasRow = [...own, ...(known ? asPrinted : [])].some((row) => row.asksName && row.top < page.height * TOP)
      const head = (isFirst && !hasRow ? HEAD : MARGIN) * page.height
      const rows = [...own, ...asPrinted, { top: 0, bottom: head }]
      const turned = !known && mayBeRotated(page) ? rotatedBands([...asPrinted, { top: 0, bottom: head }], page) : []
      const codes = codeBoxes(page, !known)
      return [page.number, [...rows.map((row) => fullWidthBox(row, page)), ...turned, ...codes]]
    }),
  )
}

const isNameRow = ({ text, box, pageHeight }: PlacedLine) =>
  isNameFieldLine(text) || (box.y < pageHeight * TOP && NAME_WITHIN.test(text))

const nameRowOf = ({ text }: PlacedLine, y: number, height: number, room: number): NameRow => ({
  top: y - room,
  bottom: y + height + room,
  asksName: ASKS_NAME.test(text),
})

function printedRows(
  printed: PlacedLine[],
  { number, toPaperHeights, registration }: MatchedBlankPage,
  page: Page,
): NameRow[] {
  return printed
    .filter((line) => line.page === number)
    .flatMap((line) => {
      const scale = page.height / line.pageHeight
      const rows = toPaperHeights(line.box.y).map((y) => nameRowOf(line, y, line.box.height * scale, SCAN_ROOM * scale))
      if (!registration) return rows
      // A skewed row is higher at one edge.
      const edges = [0, page.width / scale].map((x) => registration.toScan(x, line.box.y)[1])
      const [top, bottom] = [Math.min(...edges), Math.max(...edges)]
      return [...rows, nameRowOf(line, top, bottom - top + line.box.height * scale, SCAN_ROOM * scale)]
    })
}

type Band = Pick<NameRow, 'top' | 'bottom'>

const fullWidthBox = ({ top, bottom }: Band, { width, height }: Page): Box => {
  const y = Math.max(0, top)
  return { x: 0, y, width, height: Math.max(0, Math.min(height, bottom) - y) }
}

const rotatedBands = (rows: Band[], { width, height }: Page): Box[] =>
  rows.flatMap(({ top, bottom }) => {
    const from = Math.max(0, top)
    const size = Math.max(0, bottom - from)
    return [
      { x: 0, y: Math.max(0, height - from - size), width, height: size },
      { x: from, y: 0, width: size, height },
      { x: Math.max(0, width - from - size), y: 0, width: size, height },
    ]
  })

/** Default longest side in pixels; providers scale larger pictures down, or charge more. */
const LONGEST = 1600

/** In pixels. */
const UNLIMITED = 1_000_000

/** In points. */
type PageSize = Pick<Page, 'width' | 'height'>

async function paintOver(png: Uint8Array, points: PageSize, places: readonly Box[], longest: number): Promise<Sharp> {
  // Loaded on first use: most papers are typed.
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(png)
    .flatten({ background: '#ffffff' })
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
  const scale = { x: info.width / points.width, y: info.height / points.height }
  const bars = places.flatMap((box) => {
    const left = Math.floor(box.x * scale.x)
    const top = Math.floor(box.y * scale.y)
    const width = Math.min(info.width - left, Math.ceil(box.width * scale.x))
    const height = Math.min(info.height - top, Math.ceil(box.height * scale.y))
    const input = { create: { width, height, channels: 3 as const, background: '#b8b8b8' } }
    return width > 0 && height > 0 ? [{ left, top, input }] : []
  })
  return sharp(data).composite(bars)
}

/** `points`: the page's size, in the units of the boxes. */
export async function coverRegions(
  png: Uint8Array,
  points: PageSize,
  places: readonly Box[],
  longest = LONGEST,
): Promise<Picture> {
  const bytes = await (await paintOver(png, points, places, longest)).jpeg({ quality: 80 }).toBuffer()
  return { bytes, media_type: 'image/jpeg', points }
}

export async function coverRegionsOfPng(png: Uint8Array, points: PageSize, places: readonly Box[]): Promise<Buffer> {
  return (await paintOver(png, points, places, UNLIMITED)).png().toBuffer()
}
