import { type QuarterTurns, rotateImage } from '../geometry/quarter-turns.ts'
import { createOcr } from '../ocr/ocr.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import type { PageTop } from './scanned-page.ts'

const TOP_SHARE = 0.34

/** Boxes are in points of the page upright. */
export async function readTops(
  task: { file: string; pages: { number: number; turns: QuarterTurns }[] },
  limits: PaperLimits,
  progress: Progress,
): Promise<PageTop[]> {
  const ocr = createOcr(progress.step)
  try {
    return await withPdfium(task.file, async (document) => {
      const found: PageTop[] = []
      for (const [i, { number, turns }] of task.pages.entries()) {
        progress.step()
        const drawn = await document.render(number, { scale: 200 / 72 }, limits, 'Gray')
        const page = await rotateImage(drawn, turns)
        const rows = Math.round(page.height * TOP_SHARE)
        const top = { width: page.width, height: rows, data: page.data.subarray(0, rows * page.width) }
        const scale = 72 / 200
        const size = { width: top.width * scale, height: top.height * scale }
        const { lines } = await ocr.read(top, size)
        found.push({ number, width: size.width, height: page.height * scale, lines })
        progress.page(i + 1, task.pages.length)
      }
      return found
    })
  } finally {
    await ocr.close()
  }
}
