/** Opens untrusted PDFs: has no secrets, may not write files or start processes (`reading-process.ts`). */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { sharpOf } from '../pdf/page-image.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import { isWasmTrap, withPdfjsDocument } from '../pdf/pdfjs-document.ts'
import { readPaper } from './read-paper.ts'
import type { FromChild, Progress, ReadingReply, ReadingTask, ToChild } from './reading-messages.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

// The server has died, perhaps by `kill -9`.
process.on('disconnect', () => process.exit(0))

// Pages are all different and drawn one at a time: a cache would only take memory from large ones.
sharp.cache(false)
sharp.concurrency(1)

let watchdog: Watchdog | undefined

process.on('message', async ({ id, task, limits }: ToChild) => {
  watchdog ??= startWatchdog(limits)
  const { begin, step, end } = watchdog
  begin()
  try {
    const reply: ReadingReply[keyof ReadingReply] = await runTask(task, limits, {
      step,
      page(done, total) {
        step()
        send({ id, type: 'page', done, total })
      },
    })
    send({ id, type: 'done', reply, discard: isLarge(limits) })
  } catch (error) {
    const known = error instanceof PaperError ? error : new PaperError('damaged', undefined, { cause: error })
    send({
      id,
      type: 'failed',
      code: known.code,
      message: known.message,
      cause: String(known.cause ?? ''),
      discard: isLarge(limits) || isWasmTrap(error) || isWasmTrap(known.cause),
    })
  } finally {
    end()
  }
})

function isLarge(limits: PaperLimits): boolean {
  return process.memoryUsage.rss() > 0.7 * limits.childMegabytes * 2 ** 20
}

function send(message: FromChild): void {
  process.send?.(message)
}

async function runTask(
  task: ReadingTask,
  limits: PaperLimits,
  progress: Progress,
): Promise<ReadingReply[keyof ReadingReply]> {
  switch (task.kind) {
    case 'check':
      return withPdfjsDocument(task.file, limits, async ({ pdf }) => ({ pages: pdf.numPages }))
    case 'read':
      return readPaper(task, limits, progress)
    case 'render':
      return renderPage(task.file, task.page, task.width, limits)
    case 'count':
      return withPdfium(task.file, async ({ pages }) => ({ pages }))
    // Most children only read papers, and loading the rest takes longer than reading one.
    case 'markup': {
      const { drawCoverOnly, markUpPaper } = await import('../markup/mark-up-paper.ts')
      return task.file === null ? drawCoverOnly(task.markup) : markUpPaper(task.file, task.markup, limits, progress)
    }
    case 'scan': {
      const { scanPages } = await import('../splitting/scan-pages.ts')
      return scanPages(task, limits, progress)
    }
    case 'tops': {
      const { readTops } = await import('../splitting/read-tops.ts')
      return readTops(task, limits, progress)
    }
    case 'compose': {
      const { composePaper } = await import('../splitting/compose-paper.ts')
      return composePaper(task.pages)
    }
    case 'print': {
      const { printCopies } = await import('../codes/print-copies.ts')
      return printCopies(await readFile(task.file), task.copies, task.options, limits, progress)
    }
    case 'pageCodes': {
      const { readPageCodes } = await import('../codes/read-page-codes.ts')
      return readPageCodes(task.file, task.pages, limits, progress)
    }
    case 'printSheets': {
      const { printAnswerSheets } = await import('../answer-sheet/print-answer-sheets.ts')
      return printAnswerSheets(task.sheets, task.options, limits, progress)
    }
    case 'separators': {
      const { drawSeparatorSheets } = await import('../codes/separator-sheets.ts')
      return drawSeparatorSheets(task.count)
    }
    case 'answerSheets': {
      const { readAnswerSheets } = await import('../answer-sheet/read-answer-sheets.ts')
      return readAnswerSheets(task.file, task.pages, limits, progress)
    }
    case 'picture': {
      const { pageOfPicture } = await import('../sheet/page-of-picture.ts')
      return pageOfPicture(await readFile(task.file), task, progress.step)
    }
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { cpuMicroseconds: user + system, pid: process.pid }
    }
  }
}

async function renderPage(file: string, page: number, width: number, limits: PaperLimits): Promise<Buffer> {
  const image = await withPdfium(file, (document) => document.render(page, { width }, limits, 'BGRA'))
  return sharpOf(image, 4).removeAlpha().png({ compressionLevel: 6 }).toBuffer()
}
