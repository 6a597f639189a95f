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
    const { paper, even } = behind(line.box, image, page)
    const faint = within.filter((one) => !one.invisible && Math.abs(one.brightness - paper) < 0.12)
    // A line is one thing to a reader: half of it unseen makes all of it suspect.
    if (letters > 0 && lettersOf(unseen) >= letters / 2) return { ...line, hidden: 'invisible' }
    if (letters > 0 && lettersOf(unseen) + lettersOf(faint) >= letters / 2)
      return { ...line, hidden: 'colour' }
    // Painted over, or clipped away.
    return even ? { ...line, hidden: 'colour' } : line
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

/**
 * What a page looks like within a box. `paper` is the median brightness: letters cover less than half of
 * their box. `even`: all of it is alike, so there are no letters to be seen.
 */
function behind(
  box: Box,
  image: PageImage,
  page: { width: number; height: number },
): { paper: number; even: boolean } {
  const [sx, sy] = [image.width / page.width, image.height / page.height]
  const [x1, x2] = [Math.max(0, Math.floor(box.x * sx)), Math.min(image.width, Math.ceil(right(box) * sx))]
  const [y1, y2] = [Math.max(0, Math.floor(box.y * sy)), Math.min(image.height, Math.ceil(bottom(box) * sy))]
  const values: number[] = []
  for (let y = y1; y < y2; y += 1)
    for (let x = x1; x < x2; x += 1) values.push(image.data[y * image.width + x] ?? 255)
  values.sort((a, b) => a - b)
  const [least = 255, most = 255, median = 255] = [values[0], values.at(-1), values[values.length >> 1]]
  return { paper: median / 255, even: most - least < 12 }
}
