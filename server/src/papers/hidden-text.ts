import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { bottom, overlapX, overlapY, right } from './boxes.ts'
import type { PageImage } from './pdfium.ts'
import type { DrawnText } from './pdfium-page.ts'

/** Drawn text, placed on the page as shown. */
export type StyledText = Omit<DrawnText, 'rect'> & { box: Box }

/** Letters lower than this, in points, are dust to the eye. */
const leastSize = 3

/** Why a line cannot be seen, as far as its place and size tell. */
export function hiddenByPlace(
  box: Box,
  size: number,
  page: { width: number; height: number },
): HiddenReason | null {
  if (right(box) < 1 || bottom(box) < 1 || box.x > page.width - 1 || box.y > page.height - 1)
    return 'off_page'
  return size < leastSize ? 'tiny' : null
}

/**
 * Marks lines that are written invisibly or in the colour of the paper behind them. `image` is the
 * page in grey at any scale; white letters on a dark bar are seen there to stand out, and stay.
 */
export function markHidden(
  lines: readonly Line[],
  styled: readonly StyledText[],
  image: PageImage,
  page: { width: number; height: number },
): Line[] {
  return lines.map((line) => {
    if (line.hidden) return line
    const within = piecesOf(line, styled)
    const letters = lettersOf(within)
    const unseen = within.filter((one) => one.invisible)
    const paper = paperBehind(line.box, image, page)
    const faint = within.filter((one) => !one.invisible && Math.abs(one.brightness - paper) < 0.12)
    // A line is one thing to a reader: half of it unseen makes all of it suspect.
    if (letters > 0 && lettersOf(unseen) >= letters / 2) return { ...line, hidden: 'invisible' }
    if (letters > 0 && lettersOf(unseen) + lettersOf(faint) >= letters / 2)
      return { ...line, hidden: 'colour' }
    return line
  })
}

/**
 * The pieces of text a line is made of. By their letters too, since white words may lie on black ones;
 * by place alone where the two libraries take the letters of a font for different ones.
 */
function piecesOf(line: Line, styled: readonly StyledText[]): StyledText[] {
  const letters = line.text.replace(/\s+/g, '')
  const there = styled.filter(({ box }) => covers(line.box, box))
  const same = there.filter(({ text }) => letters.includes(text) || text.includes(letters))
  return same.length > 0 ? same : there
}

const lettersOf = (pieces: readonly StyledText[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0)

function covers(line: Box, piece: Box): boolean {
  const shared = overlapX(line, piece) * overlapY(line, piece)
  return shared > 0.5 * Math.min(piece.width * piece.height, line.width * line.height)
}

/** Median brightness of the page within a box: letters cover less than half of theirs, so it is the paper's. */
function paperBehind(box: Box, image: PageImage, page: { width: number; height: number }): number {
  const [sx, sy] = [image.width / page.width, image.height / page.height]
  const [x1, x2] = [Math.max(0, Math.floor(box.x * sx)), Math.min(image.width, Math.ceil(right(box) * sx))]
  const [y1, y2] = [Math.max(0, Math.floor(box.y * sy)), Math.min(image.height, Math.ceil(bottom(box) * sy))]
  const counts = new Uint32Array(256)
  for (let y = y1; y < y2; y += 1)
    for (let x = x1; x < x2; x += 1) {
      const value = image.data[y * image.width + x] ?? 255
      counts[value] = (counts[value] ?? 0) + 1
    }
  let left = Math.max(0, (y2 - y1) * (x2 - x1)) / 2
  for (let value = 0; value < 256; value += 1) {
    left -= counts[value] ?? 0
    if (left < 0) return value / 255
  }
  return 1
}
