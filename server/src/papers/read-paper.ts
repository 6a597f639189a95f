import type { Page, Paper } from '@assay/shared/papers.ts'
import type { PDFPageProxy } from 'pdfjs-dist'
import { rounded } from './boxes.ts'
import { toLines } from './page-lines.ts'
import type { PaperLimits } from './paper-limits.ts'
import { withDocument } from './pdfjs-document.ts'
import type { Progress } from './run-task.ts'
import { toRuns } from './text-run.ts'

/** Reads a whole PDF in this process. Throws PaperError. */
export function readPaper(file: string, limits: PaperLimits, progress: Progress): Promise<Paper> {
  return withDocument(file, limits, async ({ pdf }) => {
    const pages: Page[] = []
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number)
      pages.push(await readPage(page))
      page.cleanup()
      progress.page(number, pdf.numPages)
    }
    return { pages }
  })
}

async function readPage(page: PDFPageProxy): Promise<Page> {
  const viewport = page.getViewport({ scale: 1 })
  const lines = toLines(toRuns(await page.getTextContent(), viewport))
  return {
    number: page.pageNumber,
    width: viewport.width,
    height: viewport.height,
    lines: lines.map((line) => ({ ...line, box: rounded(line.box) })),
  }
}
