import type { PaperLimits } from '../paper-limits.ts'
import { withPdfjsDocument } from '../pdf/pdfjs-document.ts'
import { renderPage } from '../pdf/render-page.ts'
import { readPaper } from './read-paper.ts'
import type { ReadingReply, ReadingTask } from './reading-messages.ts'

/** How a task tells that it goes on. */
export interface Progress {
  step(): void
  page(done: number, total: number): void
}

/** Does one task in this process. Throws PaperError. */
export async function runTask(
  task: ReadingTask,
  limits: PaperLimits,
  progress: Progress,
): Promise<ReadingReply[keyof ReadingReply]> {
  switch (task.kind) {
    case 'check':
      return withPdfjsDocument(task.file, limits, async ({ pdf }) => ({ pages: pdf.numPages }))
    case 'read':
      return readPaper(task.file, limits, progress)
    case 'render':
      return renderPage(task.file, task.page, task.width, limits)
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { cpuMicroseconds: user + system, pid: process.pid }
    }
  }
}
