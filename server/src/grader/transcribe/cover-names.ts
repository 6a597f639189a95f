import type { Box, Paper } from '@assay/shared/papers.ts'
import type { Picture } from '../grader.ts'
import { isNameList, placedLines, plainText } from '../paper-lines.ts'

/** Handwriting stands above and below the line that its label is printed on; in points. */
const ROOM = 10
/** A scan is rarely laid quite where the blank is; in points. */
const SCAN_ROOM = 16
/** Asks for the name itself, not only for a class or a date. */
const ASKS_NAME = /\bname\b/i
/** How far down a first page its row for the name stands, as a share of its height. */
const TOP = 0.25
/** The head of a first page on which no row for a name was found, as a share of its height: better an answer's first words than a name. */
const HEAD = 0.1

/**
 * Where a page shows who the student is, by page: rows that ask for names and numbers, as read or as the blank prints them, and
 * lines with the student's own. Rows are covered from edge to edge, as nobody knows where in them the pen went. `order`: the file's
 * pages in the blank's order, where they were scanned in another.
 */
export function namePlaces(
  paper: Paper,
  blank: Paper,
  privateWords: readonly string[],
  order: readonly number[] = [],
): Map<number, Box[]> {
  // A file's name such as “two” is nobody's.
  const words = privateWords.map(plainText).filter((word) => /[\s\d@]/.test(word) || word.length >= 6)
  const rowsOf = (of: Paper, room: number, isName: (text: string) => boolean) =>
    placedLines(of)
      .filter(({ text, hidden }) => !hidden && isName(text))
      .map(({ page, box, text }) => ({
        page,
        top: box.y - room,
        bottom: box.y + box.height + room,
        asksName: isNameList(text) && ASKS_NAME.test(text),
      }))
  const own = rowsOf(paper, ROOM, (text) => {
    const plain = ` ${plainText(text)} `
    return isNameList(text) || words.some((word) => plain.includes(` ${word} `))
  })
  const filed = (page: number) => order[page - 1] ?? page
  const printed = rowsOf(blank, SCAN_ROOM, isNameList).map((row) => ({ ...row, page: filed(row.page) }))
  const places = new Map<number, Box[]>()
  for (const { number, width, height } of paper.pages) {
    const rows = [...own, ...printed].filter(({ page }) => page === number)
    if (number === filed(1) && !rows.some(({ asksName, top }) => asksName && top < height * TOP))
      rows.push({ page: number, top: 0, bottom: height * HEAD, asksName: false })
    places.set(
      number,
      rows.map(({ top, bottom }) => ({
        x: 0,
        y: Math.max(0, top),
        width,
        height: Math.min(height, bottom) - Math.max(0, top),
      })),
    )
  }
  return places
}

/** The longest side in pixels, unless asked otherwise. More is scaled down by providers, or paid for without being read better. */
const LONGEST = 1600

/** The picture of a page with places painted over, for leaving this machine. `points` is the page's size, which boxes are in. */
export async function coverPlaces(
  png: Uint8Array,
  points: { width: number; height: number },
  places: readonly Box[],
  longest = LONGEST,
): Promise<Picture> {
  // Loaded when first needed: most papers are typed.
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(png)
    .flatten({ background: '#ffffff' })
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
  const scale = { x: info.width / points.width, y: info.height / points.height }
  const bars = places.map((box) => {
    const left = Math.floor(box.x * scale.x)
    const top = Math.floor(box.y * scale.y)
    const width = Math.min(info.width - left, Math.ceil(box.width * scale.x))
    const height = Math.min(info.height - top, Math.ceil(box.height * scale.y))
    return { left, top, width, height }
  })
  const bytes = await sharp(data)
    .composite(
      bars
        .filter(({ width, height }) => width > 0 && height > 0)
        .map(({ left, top, width, height }) => ({
          input: { create: { width, height, channels: 3, background: '#b8b8b8' } },
          left,
          top,
        })),
    )
    .jpeg({ quality: 80 })
    .toBuffer()
  return { bytes, media_type: 'image/jpeg', points }
}
