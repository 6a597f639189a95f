import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { bottom, overlapX, overlapY, right, union } from '../geometry/boxes.ts'
import type { TextInk } from '../pdf/pdfium-text-ink.ts'
import { brightnessOf, maxBrightnessDifference } from './box-brightness.ts'
import { splitHiddenText } from './split-line.ts'

/** Letters drawn alike, placed on the page as shown. */
export interface StyledText {
  letters: { letter: string; box: Box }[]
  invisible: boolean
  /** 0 black to 1 white; null where it is a pattern. */
  brightness: number | null
}

/** Letters in a row that are all seen, or all unseen for the same reason. */
export interface TextFragment {
  /** Without spaces. */
  text: string
  box: Box
  hidden: HiddenReason | null
}

/** Letters lower than this, in points, are dust to the eye. */
const minVisibleSize = 3
/** Letters nearer to the brightness of what lies behind them than this are not read by anybody. */
const minContrast = 0.12
/** Of 255: thin grey letters leave at least this much ink at a pixel a point. */
const minInk = 14

/** Why a line cannot be seen, as far as its place and size tell. */
export function hiddenByPosition(box: Box, size: number, page: { width: number; height: number }): HiddenReason | null {
  if (right(box) < 1 || bottom(box) < 1 || box.x > page.width - 1 || box.y > page.height - 1) return 'off_page'
  return size < minVisibleSize ? 'tiny' : null
}

/**
 * Marks what no reader of the page sees: letters that leave no ink (invisible, covered, cut off, switched off) or only ink of the
 * colour behind them. A line that is seen in part becomes two. `ink` is the page in grey, at any scale.
 */
export function markHiddenLines(
  lines: readonly Line[],
  styled: readonly StyledText[],
  ink: TextInk,
  page: { width: number; height: number },
): Line[] {
  const pieces = styled.flatMap((text) => fragmentsOf(text, ink, page))
  return lines.flatMap((line) => {
    if (line.hidden) return line
    const own = fragmentsOfLine(line, pieces)
    const unseen = own.filter((piece) => piece.hidden)
    if (own.length === 0) return leavesNoInk(line, ink, page) ? { ...line, hidden: 'covered' as const } : line
    const [reason] = unseen.map((piece) => piece.hidden)
    if (!reason) return line
    if (unseen.length === own.length) return { ...line, hidden: reason }
    const split = splitHiddenText(line, own)
    if (split) return split
    // Which letters are which cannot be told: half of it unseen makes all of it suspect.
    return countLetters(unseen) >= countLetters(own) / 2 ? { ...line, hidden: reason } : line
  })
}

function fragmentsOf(text: StyledText, ink: TextInk, page: { width: number; height: number }): TextFragment[] {
  const reasons = text.letters.map(({ letter, box }) =>
    // A dot is too small to be judged by itself.
    /[\p{L}\p{N}]/u.test(letter) ? hiddenReasonOf(text, box, ink, page) : undefined,
  )
  const pieces: TextFragment[] = []
  let before = reasons.find((reason) => reason !== undefined) ?? null
  for (const [index, { letter, box }] of text.letters.entries()) {
    const reason = reasons[index]
    const hidden = reason === undefined ? before : reason
    before = hidden
    const last = pieces.at(-1)
    if (last && last.hidden === hidden) {
      last.text += letter
      last.box = union(last.box, box)
    } else pieces.push({ text: letter, box, hidden })
  }
  return mergeFragments(pieces)
}

/** One or two letters unseen among many that are seen are a quirk of drawing, not something kept from the reader. */
function mergeFragments(pieces: TextFragment[]): TextFragment[] {
  const merged: TextFragment[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    const hidden = piece.hidden && piece.text.length < 3 && pieces.length > 1 ? null : piece.hidden
    if (last && last.hidden === hidden) {
      last.text += piece.text
      last.box = union(last.box, piece.box)
    } else merged.push({ ...piece, hidden })
  }
  return merged
}

function hiddenReasonOf(
  { invisible, brightness }: StyledText,
  box: Box,
  ink: TextInk,
  page: { width: number; height: number },
): HiddenReason | null {
  if (invisible) return 'invisible'
  const { middle } = brightnessOf(box, ink.withoutText, page)
  if (brightness !== null && Math.abs(brightness - middle / 255) < minContrast) return 'colour'
  return maxBrightnessDifference(box, ink.withText, ink.withoutText, page) < minInk ? 'covered' : null
}

/** For fonts whose letters pdfium does not give: their place shows the same with them and without. */
function leavesNoInk(line: Line, ink: TextInk, page: { width: number; height: number }): boolean {
  return maxBrightnessDifference(line.box, ink.withText, ink.withoutText, page) < minInk
}

/**
 * The pieces of text a line is made of. By their letters too, since white words may lie on black ones;
 * by place alone where the two libraries take the letters of a font for different ones.
 */
function fragmentsOfLine(line: Line, pieces: readonly TextFragment[]): TextFragment[] {
  const letters = line.text.replace(/\s+/g, '')
  const there = pieces.filter(({ box }) => covers(line.box, box))
  const same = there.filter(({ text }) => letters.includes(text) || text.includes(letters))
  return same.length > 0 ? same : there
}

const countLetters = (pieces: readonly TextFragment[]): number => pieces.reduce((sum, { text }) => sum + text.length, 0)

function covers(line: Box, piece: Box): boolean {
  const shared = overlapX(line, piece) * overlapY(line, piece)
  return shared > 0.5 * Math.min(piece.width * piece.height, line.width * line.height)
}
