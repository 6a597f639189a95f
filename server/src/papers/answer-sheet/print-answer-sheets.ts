import { PDFDocument } from 'pdf-lib'
import { printCopiesOf } from '../codes/print-copies.ts'
import type { PrintOptions } from '../codes/printed-copy.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { drawAnswerSheet } from './draw-answer-sheet.ts'
import type { SheetsToPrint } from './sheet-design.ts'

/**
 * One PDF of answer sheets, each page with its code and marks as on copies of a blank.
 * @throws {PaperError}
 */
export async function printAnswerSheets(
  sheets: readonly SheetsToPrint[],
  options: PrintOptions & { title: string },
  limits: PaperLimits,
  progress: Progress,
): Promise<Buffer> {
  const printed: Buffer[] = []
  for (const { design, copies } of sheets) {
    if (copies.length === 0) continue
    const bytes = await drawAnswerSheet(design, options.title)
    printed.push(await printCopiesOf(bytes, copies, options, limits, progress))
  }
  const [only] = printed
  if (only && printed.length === 1) return only
  const document = await PDFDocument.create()
  for (const bytes of printed) {
    const source = await PDFDocument.load(bytes)
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  }
  document.setProducer('Assay')
  return Buffer.from(await document.save())
}
