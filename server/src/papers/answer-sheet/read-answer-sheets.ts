import { LONGEST } from '../codes/read-page-codes.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { readAnswerSheet } from './read-answer-sheet.ts'
import type { SheetPageReading, SheetPageToRead } from './sheet-reading.ts'

/** @throws {PaperError} */
export async function readAnswerSheets(
  file: string,
  pages: readonly SheetPageToRead[],
  limits: PaperLimits,
  progress: Progress,
): Promise<SheetPageReading[]> {
  return withPdfium(file, async (document) => {
    const readings: SheetPageReading[] = []
    for (const [i, { filePage, design, ...code }] of pages.entries()) {
      const { width, height } = document.size(filePage)
      const image = await document.render(filePage, { scale: LONGEST / Math.max(width, height) }, limits, 'Gray')
      const { problem, groups } = await readAnswerSheet(image, design, code)
      const [sx, sy] = [width / image.width, height / image.height]
      const inPoints = groups.map(({ box, ...group }) => ({
        ...group,
        box: { x: box.x * sx, y: box.y * sy, width: box.width * sx, height: box.height * sy },
      }))
      readings.push({ filePage, problem, groups: inPoints })
      progress.page(i + 1, pages.length)
    }
    return readings
  })
}
