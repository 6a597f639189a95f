import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { bottom, overlapX, overlapY, right, union } from '../geometry/boxes.ts'
import { aloneOn, type TextInk } from '../pdf/pdfium-document.ts'
import { brightnessOf, inkOf, leastInk, leavesInk, pixelsOf } from './box-brightness.ts'

export interface StyledText {
  letters: { letter: string; box: Box }[]
  invisible: boolean
  /** Of fill and outline where painted: 0 black to 1 white; null for a pattern. */
  colours: readonly (number | null)[]
}

/** Points. */
const minVisibleSize = 3
const minContrast = 0.12
/** Share of its ink on mid grey; black on white has twice that, under a perforated cover less. */
const minVisibleShare = 0.25

export function hiddenByPosition(box: Box, size: number, page: { width: number; height: number }): HiddenReason | null {
  if (right(box) < 1 || bottom(box) < 1 || box.x > page.width - 1 || box.y > page.height - 1) return 'off_page'
  return size < minVisibleSize ? 'tiny' : null
}

/** Hidden is what leaves no ink or only in its background's colour; a partly visible line is split. */
export function markHiddenLines(
  lines: readonly Line[],
  styled: readonly StyledText[],
  ink: TextInk,
  page: { width: number; height: number },
): Line[] {
  const pieces = styled.flatMap((text) => fragmentsOf(text, ink, page))
  return lines.flatMap((line) => {
    const own = fragmentsOfLine(line, pieces)
    const unseen = own.filter((piece) => piece.hidden)
    const [reason] = unseen.map((piece) => piece.hidden)
    if (line.hidden) return reason === 'invisible' ? { ...line, hidden: reason } : line
    if (own.length === 0) {
      // pdfium does not list this font's letters, so the box is compared with and without text.
      return leavesInk(line.box, ink.withText, ink.withoutText, page) ? line : { ...line, hidden: 'covered' as const }
    }
    if (!reason) return line
    if (unseen.length === own.length) return { ...line, hidden: reason }
    const split = splitHiddenText(line, own)
    if (split) return split
    // The pieces cannot be located in the line: half of it hidden makes all of it suspect.
    return countLetters(unseen) >= countLetters(own) / 2 ? { ...line, hidden: reason } : line
  })
}

function fragmentsOf(text: StyledText, ink: TextInk, page: { width: number; height: number }): TextFragment[] {
  const reasons = text.letters.map(({ letter, box }) =>
    // Punctuation is too small to be judged by itself.
    /[\p{L}\p{N}]/u.test(letter) ? hiddenReasonOf(text, box, ink, page) : undefined,
  )
  let hidden = reasons.find((reason) => reason !== undefined) ?? null
  const pieces = mergeFragments(
    text.letters.map(({ letter, box }, index): TextFragment => {
      hidden = reasons[index] === undefined ? hidden : reasons[index]
      return { text: letter, box, hidden }
    }),
  )
  const isQuirk = (piece: TextFragment) => piece.text.length < 3 && pieces.length > 1
  return mergeFragments(pieces.map((piece) => (isQuirk(piece) ? { ...piece, hidden: null } : piece)))
}

function mergeFragments(pieces: TextFragment[]): TextFragment[] {
  const merged: TextFragment[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && last.hidden === piece.hidden) {
      last.text += piece.text
      last.box = union(last.box, piece.box)
    } else merged.push({ ...piece })
  }
  return merged
}

function hiddenReasonOf(
  { invisible, colours }: StyledText,
  box: Box,
  ink: TextInk,
  page: { width: number; height: number },
): HiddenReason | null {
  if (invisible) return 'invisible'
  const { middle } = brightnessOf(box, ink.withoutText, page)
  if (colours.every((colour) => colour !== null && Math.abs(colour - middle / 255) < minContrast)) return 'colour'
  const visible = inkOf(box, ink.withText, ink.withoutText, page)
  if (visible < leastInk(box, ink.withText, page)) return 'covered'
  const { width, height } = pixelsOf(box, ink.withText, page)
  // Drawn only where even a box full of ink would not settle it.
  if (visible >= (minVisibleShare * width * height * aloneOn) / 255) return null
  return visible < minVisibleShare * inkOf(box, ink.textAlone(), aloneOn, page) ? 'covered' : null
}

/** White words may lie over black ones: only texts that share the line's letters count. */
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

interface TextFragment {
  text: string
  box: Box
  hidden: HiddenReason | null
}

/** One that shows in part is cut off, as by a figure's edge, and not hidden. */
const word = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu

function splitHiddenText(line: Line, pieces: readonly TextFragment[]): Line[] | null {
  const indexes = [...line.text.matchAll(/\S/g)].map(({ index }) => index)
  const letters = line.text.replace(/\s/g, '')
  const hiddenLetters = new Set<number>()
  let reason: HiddenReason | null = null
  const expectedAt = (piece: TextFragment) =>
    ((piece.box.x - line.box.x) / Math.max(1, line.box.width)) * letters.length
  for (const piece of pieces) {
    if (!piece.hidden) continue
    reason ??= piece.hidden
    const from = nearestOccurrence(letters, piece.text, expectedAt(piece), hiddenLetters)
    if (from === null) return null
    for (let at = from; at < from + piece.text.length; at += 1) hiddenLetters.add(at)
  }
  if (!reason) return null
  const hiddenIndexes = new Set([...hiddenLetters].map((at) => indexes[at]))
  const textWithout = (part: RegExp, isHidden: boolean) =>
    line.text
      .replace(part, (one, at: number) =>
        one.split('').some((_, i) => hiddenIndexes.has(at + i) === isHidden) ? ' ' : one,
      )
      .replace(/\s+/g, ' ')
      .trim()
  const boxOf = (hidden: boolean) => {
    const own = pieces.filter((piece) => (piece.hidden !== null) === hidden).map((piece) => piece.box)
    return own.length > 0 ? own.reduce(union) : line.box
  }
  const [visibleText, hiddenText] = [textWithout(/\S/g, true), textWithout(word, false)]
  const { cells: _, ...plain } = line
  return [
    ...(visibleText === '' ? [] : [{ ...plain, text: visibleText, box: boxOf(false), whole: line.text }]),
    ...(hiddenText === '' ? [] : [{ ...plain, text: hiddenText, box: boxOf(true), hidden: reason }]),
  ]
}

function nearestOccurrence(text: string, word: string, expectedAt: number, taken: ReadonlySet<number>): number | null {
  let best: number | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!taken.has(at) && (best === null || Math.abs(at - expectedAt) < Math.abs(best - expectedAt))) best = at
  return best
}
