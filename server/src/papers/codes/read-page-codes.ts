import { chain } from '../../lib/plane-transform.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { findPageCode } from './find-page-code.ts'
import type { PageCodeOfFile } from './printed-copy.ts'

/** Pixels: 160 dpi of A4, at which a code's module has 3.7. */
export const LONGEST = 1870

/** In order; pages without a code are left out. @throws {PaperError} */
export async function readPageCodes(
  file: string,
  pages: readonly number[] | undefined,
  limits: PaperLimits,
  progress: Progress,
): Promise<PageCodeOfFile[]> {
  return withPdfium(file, async (document) => {
    const numbers = pages ?? Array.from({ length: document.pages }, (_, i) => i + 1)
    const found: PageCodeOfFile[] = []
    for (const [i, filePage] of numbers.entries()) {
      const { width, height } = document.size(filePage)
      const scale = LONGEST / Math.max(width, height)
      const picture = await document.render(filePage, { scale }, limits, 'Gray')
      const code = await findPageCode(picture)
      const toPixels = [picture.width / width, 0, 0, 0, picture.height / height, 0, 0, 0, 1] as const
      if (code) found.push({ ...code, filePage, toSheet: chain(toPixels, code.toSheet) })
      progress.page(i + 1, numbers.length)
    }
    return found
  })
}
