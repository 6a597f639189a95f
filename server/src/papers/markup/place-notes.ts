import type { Box } from '@assay/shared/papers.ts'
import { clamp } from '../../lib/numbers.ts'
import { grown } from '../geometry/boxes.ts'
import type { InkMap } from './ink-map.ts'
import type { MarkupFonts, Weight } from './markup-fonts.ts'
import type { MarkupNote } from './paper-markup.ts'

/** Boxes are in points from the top left of the page as shown. */
export interface PlacedNote {
  note: MarkupNote
  mark: Box
  /** Null without room beside the mark. */
  comment: PlacedComment | null
  covers: boolean
}

interface PlacedComment {
  box: Box
  lines: string[]
  ruled: boolean
}

interface PageArea {
  width: number
  height: number
  ink: InkMap
  scale: number
}

/** Points on A4. */
export const MARK_SIZE = 9.5
export const COMMENT_SIZE = 7.5
export const LINE_HEIGHT = 9.5
const MARK_HEIGHT = 11
/** Printers leave the page's edge blank. */
const EDGE = 9
const CLEAR = 1.5
const COMMENT_WIDTHS = [230, 180, 140, 105, 80]
const MOST_LINES = 8
/** In em; the comment of a taller formula goes to the cover. */
const TALLEST = 1.3

/** A mark goes behind its words, else before, else in a gap; comments on blank paper beside or below. */
export function placeNotes(notes: readonly MarkupNote[], page: PageArea, fonts: MarkupFonts): PlacedNote[] {
  const placed = notes.map((note) => placeMark(note, page, fonts))
  for (const one of placed) one.comment = placeComment(one, page, fonts)
  return placed
}

export const markText = ({ part, verdict, points }: MarkupNote) =>
  [part, verdictSigns[verdict], points].filter((word) => word !== '').join(' ')

export const verdictSigns = { full: '✓', partial: '(✓)', none: '✗', open: '–' } as const

function placeMark(note: MarkupNote, page: PageArea, fonts: MarkupFonts): PlacedNote {
  const { scale, ink } = page
  const number = note.comment === '' ? 0 : 15
  const width = fonts.width(markText(note), MARK_SIZE * scale, 'bold') + (4 + number) * scale
  const height = MARK_HEIGHT * scale
  const box = withinPage(note.box, page)
  let best: { mark: Box; cost: number; covers: boolean } | null = null
  for (const y of rowsWithin(box, height, scale)) {
    for (let x = EDGE * scale; x + width <= page.width - EDGE * scale; x += 2 * scale) {
      const mark = { x, y, width, height }
      const around = grown(mark, CLEAR * scale)
      const blank = ink.blank(around)
      const away = distanceFrom(box, mark, scale) + Math.abs(y + height / 2 - (box.y + box.height / 2)) * 1.5
      const cost = away / scale + (blank ? costOf[blank] : 10_000 * (1 + ink.share(around)))
      if (!best || cost < best.cost) best = { mark, cost, covers: !blank }
    }
  }
  const { mark, covers } = best ?? { mark: { x: 0, y: box.y, width, height }, covers: true }
  ink.occupy(mark)
  return { note, mark, comment: null, covers }
}

/** In points: to avoid a ruled line a note moves that far, to avoid writing any distance. */
const costOf = { empty: 0, ruled: 25 }

/** Before the words only if that saves a third of the page. */
function distanceFrom(box: Box, mark: Box, scale: number): number {
  const behind = mark.x - (box.x + box.width)
  if (behind >= 2 * scale) return behind * 0.5
  const before = box.x - (mark.x + mark.width)
  if (before >= 2 * scale) return 60 * scale + before * 0.5
  return 200 * scale + Math.abs(behind)
}

function rowsWithin(box: Box, height: number, scale: number): number[] {
  const middle = box.y + box.height / 2
  const tops = [middle - height / 2]
  for (let off = 1.5 * scale; off <= box.height / 2 - scale; off += 1.5 * scale)
    tops.push(middle - off - height / 2, middle + off - height / 2)
  return tops
}

function placeComment(placed: PlacedNote, page: PageArea, fonts: MarkupFonts): PlacedNote['comment'] {
  const { note, mark } = placed
  if (note.comment === '') return null
  const { scale, ink } = page
  const { above, below } = fonts.extent(note.comment)
  if (above + below > TALLEST) return null
  const text = note.part === '' ? note.comment : `${note.part}: ${note.comment}`
  let best: (PlacedComment & { cost: number }) | null = null
  for (const most of COMMENT_WIDTHS) {
    const lines = wrapText(text, most * scale, COMMENT_SIZE * scale, 'regular', fonts)
    if (lines.length > MOST_LINES) break
    const width = Math.max(...lines.map((line) => fonts.width(line, COMMENT_SIZE * scale, 'regular'))) + 2 * scale
    const height = (lines.length * LINE_HEIGHT + 1) * scale
    for (const y of topsFor(note.box, mark, height, scale)) {
      for (let x = EDGE * scale; x + width <= page.width - EDGE * scale; x += 3 * scale) {
        const box = { x, y, width, height }
        const near = apart(mark, box) / scale + lines.length
        if (near >= (best?.cost ?? FARTHEST)) continue
        const blank = ink.blank(grown(box, CLEAR * scale))
        const cost = blank && near + costOf[blank]
        if (cost !== null && cost < (best?.cost ?? FARTHEST)) best = { box, lines, ruled: blank === 'ruled', cost }
      }
    }
  }
  if (!best) return null
  ink.occupy(best.box)
  return best
}

/** Farther from its mark a comment might be taken for another's. */
const FARTHEST = 60

function topsFor(box: Box, mark: Box, height: number, scale: number): number[] {
  const tops: number[] = []
  for (let y = Math.min(box.y, mark.y) - height / 2; y <= box.y + box.height + 10 * scale; y += 2 * scale) tops.push(y)
  return tops
}

function apart(a: Box, b: Box): number {
  const dx = Math.max(0, b.x - (a.x + a.width), a.x - (b.x + b.width))
  const dy = Math.max(0, b.y - (a.y + a.height), a.y - (b.y + b.height))
  return dx * 0.5 + dy + Math.abs(b.y - a.y) * 0.2
}

/** Evidence of a differently read paper may lie off its page. */
function withinPage({ x, y, width, height }: Box, page: { width: number; height: number }): Box {
  const left = clamp(x, 0, page.width)
  const top = clamp(y, 0, page.height - 6)
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(width, page.width - left)),
    height: Math.max(6, Math.min(height, page.height - top)),
  }
}

/** Keeps line ends; cuts a word wider than a line. */
export function wrapText(text: string, width: number, size: number, weight: Weight, fonts: MarkupFonts): string[] {
  return text
    .split(/\r?\n/)
    .flatMap((paragraph) => wrapParagraph(paragraph.trim(), (words) => fonts.width(words, size, weight) <= width))
}

function wrapParagraph(paragraph: string, fits: (words: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = cutWord(word, fits)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

function cutWord(word: string, fits: (words: string) => boolean): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece !== '' && !fits(piece + letter)) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece]
}
