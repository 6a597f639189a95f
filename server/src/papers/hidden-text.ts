import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { bottom, middleY, overlapX, overlapY, right } from './boxes.ts'
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
    const within = styled.filter(({ box }) => covers(line.box, box))
    const letters = within.reduce((sum, one) => sum + one.letters, 0)
    const unseen = within.filter((one) => one.invisible)
    const paper = paperBehind(line.box, image, page)
    const faint = within.filter((one) => !one.invisible && Math.abs(one.brightness - paper) < 0.12)
    const count = (some: readonly StyledText[]) => some.reduce((sum, one) => sum + one.letters, 0)
    // A line is one thing to a reader: half of it unseen makes all of it suspect.
    if (letters > 0 && count(unseen) >= letters / 2) return { ...line, hidden: 'invisible' }
    if (letters > 0 && count(unseen) + count(faint) >= letters / 2) return { ...line, hidden: 'colour' }
    return line
  })
}

function covers(line: Box, piece: Box): boolean {
  const area = overlapX(line, piece) * overlapY(line, piece)
  return (
    area > 0.5 * piece.width * piece.height &&
    Math.abs(middleY(line) - middleY(piece)) < Math.max(line.height, line.width)
  )
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
