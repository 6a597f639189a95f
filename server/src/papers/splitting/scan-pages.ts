import { isSeparatorSheet } from '../codes/separator-sheets.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { sharpOf } from '../pdf/page-image.ts'
import { type PdfiumDocument, withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { type BlankPrint, matchPage, prepareBlank } from './match-page.ts'
import { levelPage, PRINT_SCALE, toPrint } from './page-print.ts'
import type { ScannedPage } from './scanned-page.ts'
import { writtenInk } from './written-ink.ts'

const EMPTY_INK = 0.0012
const DAMAGED_PICTURE = 'Its picture is damaged and cannot be opened. Scan this page again.'
/** Pixels. */
const PICTURE_WIDTH = 260
let prepared: { file: string; prints: Promise<BlankPrint[]> } | null = null

/** Cached for the next pages of the same class. */
function blankPrints(file: string, limits: PaperLimits): Promise<BlankPrint[]> {
  if (prepared?.file !== file) prepared = { file, prints: drawBlank(file, limits) }
  return prepared.prints
}

async function drawBlank(file: string, limits: PaperLimits): Promise<BlankPrint[]> {
  return withPdfium(file, async (document) => {
    const pages = []
    for (let number = 1; number <= Math.min(document.pages, limits.pages); number += 1)
      pages.push(await toPrint(await levelPage(await drawSmall(document, number, limits)), 0))
    return prepareBlank(pages)
  })
}

const drawSmall = (document: PdfiumDocument, number: number, limits: PaperLimits) =>
  document.render(number, { scale: PRINT_SCALE }, limits, 'Gray')

export async function scanPages(
  task: { file: string; from: number; to: number; blank: string | null },
  limits: PaperLimits,
  progress: Progress,
): Promise<ScannedPage[]> {
  const blank = task.blank === null ? [] : await blankPrints(task.blank, limits)
  return withPdfium(task.file, async (document) => {
    const pages: ScannedPage[] = []
    const last = Math.min(task.to, document.pages)
    for (let number = task.from; number <= last; number += 1) {
      const image = await drawSmall(document, number, limits)
      const level = await levelPage(image)
      const empty = level.ink < EMPTY_INK
      const isDamaged = empty && document.hasDamagedPicture(number)
      const match = empty ? null : await matchPage(level, blank)
      // A page of the blank is no separator, whatever is stuck on it.
      const separator = !empty && match?.sure !== true && (await isSeparatorSheet(image))
      const turns = match?.turns ?? 0
      const fixed = blank.find(({ page }) => page === match?.page)
      pages.push({
        number,
        width: image.width / PRINT_SCALE,
        height: image.height / PRINT_SCALE,
        turns,
        empty: empty && !isDamaged,
        separator,
        blankPage: match?.page ?? null,
        sure: match?.sure ?? false,
        share: match?.share ?? 0,
        picture: await sharpOf(image)
          .resize({ width: PICTURE_WIDTH })
          .sharpen({ sigma: 0.6 })
          .jpeg({ quality: 60 })
          .toBuffer(),
        written: match?.print && match.placed && fixed ? writtenInk(match.print, match.placed, fixed.print) : null,
        problem: isDamaged ? DAMAGED_PICTURE : null,
      })
      progress.page(number - task.from + 1, last - task.from + 1)
    }
    return pages
  })
}
