import type { Box } from '@assay/shared/papers.ts'
import { concatTransformationMatrix, type PDFPage, popGraphicsState, pushGraphicsState } from 'pdf-lib'
import { colours, drawLine, verdictColours } from './draw-text.ts'
import type { MarkupFonts } from './markup-fonts.ts'
import type { PageFrame } from './page-frame.ts'
import { COMMENT_SIZE, LINE_HEIGHT, MARK_SIZE, markText, type PlacedNote } from './place-notes.ts'

/**
 * Draws the notes over what is on the page, which stays as it is.
 * @param numbers of the comments that are on the cover, by the note's key
 * @param scale 1 on A4
 */
export function drawNotes(
  page: PDFPage,
  { height, matrix }: PageFrame,
  placed: readonly PlacedNote[],
  numbers: ReadonlyMap<string, number>,
  scale: number,
  fonts: MarkupFonts,
): void {
  page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix))
  for (const { note, mark, comment, covers } of placed) {
    if (covers) drawBacking(page, mark, height)
    if (comment?.ruled) drawBacking(page, comment.box, height)
    const colour = verdictColours[note.verdict]
    const [size, baseline] = [MARK_SIZE * scale, height - mark.y - 8.5 * scale]
    const end = drawLine(page, markText(note), mark.x + 2 * scale, baseline, { size, weight: 'bold', colour }, fonts)
    const number = numbers.get(note.key)
    if (number !== undefined)
      drawLine(page, `[${number}]`, end + 2 * scale, baseline + scale, { size: 6.5 * scale, colour }, fonts)
    for (const [i, line] of (comment?.lines ?? []).entries()) {
      const y = height - (comment?.box.y ?? 0) - (i * LINE_HEIGHT + 7.5) * scale
      const style = { size: COMMENT_SIZE * scale, colour: colours.comment }
      drawLine(page, line, (comment?.box.x ?? 0) + scale, y, style, fonts)
    }
  }
  page.pushOperators(popGraphicsState())
}

/** What shows through it is fainter. */
function drawBacking(page: PDFPage, { x, y, width, height }: Box, pageHeight: number): void {
  page.drawRectangle({ x, y: pageHeight - y - height, width, height, color: colours.paper, opacity: 0.8 })
}
