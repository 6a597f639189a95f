import { open, stat } from 'node:fs/promises'
import type { Paper } from '@assay/shared/papers.ts'
import type { SheetsToPrint } from './answer-sheet/sheet-design.ts'
import type { SheetPageReading, SheetPageToRead } from './answer-sheet/sheet-reading.ts'
import type { CopyToPrint, PageCodeOfFile, PrintOptions } from './codes/printed-copy.ts'
import type { QuarterTurns } from './geometry/quarter-turns.ts'
import type { PaperMarkup } from './markup/paper-markup.ts'
import { PaperError } from './paper-error.ts'
import { defaultPaperLimits, type PaperLimits } from './paper-limits.ts'
import type { ReadingReply, ReadingTask } from './reading/reading-messages.ts'
import { type PoolLog, type PoolMetrics, ReadingPool, type SubmitOptions } from './reading/reading-pool.ts'
import type { PageOfPicture, PageOfPictureTask } from './sheet/page-of-picture.ts'
import { asPictureError } from './sheet/picture-error.ts'
import type { ComposedPage } from './splitting/compose-paper.ts'
import type { PageTop, ScannedPage } from './splitting/scanned-page.ts'

interface ReadOptions {
  signal?: AbortSignal
  /** Called in this process after each page, counting from 1. */
  onPage?: (done: number, total: number) => void
}

/** Reads PDFs. Every method throws PaperError, whose message tells a teacher what to do. */
export interface PaperReader {
  /** Checks size, `%PDF-` signature, encryption and page count, cheapest first. */
  check(file: string): Promise<{ pages: number }>
  /**
   * Text with positions, form values and annotations; OCR where a page has no text of its own.
   * An empty page has no lines, nor has one that is skipped.
   */
  read(file: string, options?: ReadOptions & { skip?: readonly number[] }): Promise<Paper>
  /** One page (counting from 1) as a PNG `width` pixels wide, form values and annotations included. */
  renderPage(file: string, page: number, options: { width: number }): Promise<Buffer>
  /** A copy with a cover in front and notes on its pages; the original stays. Without a file the cover alone. */
  markUp(
    file: string | null,
    markup: PaperMarkup,
    options?: { signal?: AbortSignal; urgent?: boolean },
  ): Promise<Buffer>
  /** How many pages a class scan has: more than a paper may. */
  countPages(file: string): Promise<number>
  /** What pages `from` to `to` of a class scan are, by the blank's print. */
  scanPages(
    file: string,
    pages: { from: number; to: number },
    options: { blank: string | null; signal?: AbortSignal; onPage?: (done: number) => void },
  ): Promise<ScannedPage[]>
  /** What is written at the top of some pages, by OCR; `turns` make them upright. */
  readTops(
    file: string,
    pages: { number: number; turns: QuarterTurns }[],
    options?: { signal?: AbortSignal },
  ): Promise<PageTop[]>
  /** One PDF of pages of class scans. */
  compose(pages: ComposedPage[], options?: { signal?: AbortSignal }): Promise<Buffer>
  /** One PDF of many copies of a blank, each page with the code of its copy. */
  printCopies(
    file: string,
    copies: readonly CopyToPrint[],
    options: PrintOptions & { signal?: AbortSignal },
  ): Promise<Buffer>
  /** The codes that `printCopies` printed, of those pages (from 1; all where absent) that have one. */
  readPageCodes(file: string, pages?: readonly number[], options?: ReadOptions): Promise<PageCodeOfFile[]>
  /** One PDF of answer sheets, each page with the code of its copy. */
  printAnswerSheets(
    sheets: readonly SheetsToPrint[],
    options: PrintOptions & { title: string; signal?: AbortSignal },
  ): Promise<Buffer>
  /** Which circles are filled on pages of answer sheets, in the order given. */
  readAnswerSheets(file: string, pages: readonly SheetPageToRead[], options?: ReadOptions): Promise<SheetPageReading[]>
  /** A picture of a sheet as a page; the messages are for who took it. */
  pageOfPicture(task: PageOfPictureTask, options?: { signal?: AbortSignal }): Promise<PageOfPicture>
  /** CPU time of each running child, in microseconds by process id, for the benchmark. */
  cpuUsage(): Promise<{ cpuMicroseconds: number; pid: number }>
  /** How many tasks wait for a free child. */
  tasksWaiting(): number
  /** Process ids of the running children. */
  processIds(): number[]
  close(): Promise<void>
}

export interface PaperReaderOptions {
  /** The most child processes; each is started when first needed. */
  processes?: number
  log?: PoolLog
  metrics?: PoolMetrics
  limits?: Partial<PaperLimits>
}

export function createPaperReader(options: PaperReaderOptions = {}): PaperReader {
  const limits = { ...defaultPaperLimits, ...options.limits }
  const pool = new ReadingPool(options.processes ?? 2, limits, options.log ?? (() => {}), options.metrics)

  async function submit<K extends keyof ReadingReply>(
    task: Extract<ReadingTask, { kind: K }>,
    how?: SubmitOptions,
  ): Promise<ReadingReply[K]> {
    // The child replies to each kind of task with its own type: see `runTask`.
    return (await pool.submit(task, how)) as ReadingReply[K]
  }

  return {
    async check(file) {
      await checkFile(file, limits)
      return submit({ kind: 'check', file }, { urgent: true })
    },
    async read(file, { signal, onPage, skip } = {}) {
      await checkFile(file, limits)
      return submit({ kind: 'read', file, ...(skip ? { skip } : {}) }, { signal, onPage })
    },
    async renderPage(file, page, { width }) {
      await checkFile(file, limits)
      const png = await submit({ kind: 'render', file, page, width }, { urgent: true })
      return Buffer.from(png)
    },
    async markUp(file, markup, { signal, urgent = false } = {}) {
      if (file !== null) await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'markup', file, markup }, { signal, urgent }))
    },
    async countPages(file) {
      await checkFile(file, limits)
      return (await submit({ kind: 'count', file })).pages
    },
    async scanPages(file, { from, to }, { blank, signal, onPage }) {
      await checkFile(file, limits)
      return submit({ kind: 'scan', file, from, to, blank }, { signal, onPage })
    },
    async readTops(file, pages, { signal } = {}) {
      await checkFile(file, limits)
      return submit({ kind: 'tops', file, pages }, { signal })
    },
    async compose(pages, { signal } = {}) {
      for (const file of new Set(pages.map((page) => page.file))) await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'compose', pages }, { signal }))
    },
    async printCopies(file, copies, { signal, ...options }) {
      await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'print', file, copies, options }, { signal, urgent: true }))
    },
    async readPageCodes(file, pages, { signal, onPage } = {}) {
      await checkFile(file, limits)
      return submit({ kind: 'pageCodes', file, pages }, { signal, onPage })
    },
    async printAnswerSheets(sheets, { signal, ...options }) {
      return Buffer.from(await submit({ kind: 'printSheets', sheets, options }, { signal, urgent: true }))
    },
    async readAnswerSheets(file, pages, { signal, onPage } = {}) {
      await checkFile(file, limits)
      return submit({ kind: 'answerSheets', file, pages }, { signal, onPage })
    },
    async pageOfPicture(task, { signal } = {}) {
      try {
        return await submit({ kind: 'picture', ...task }, { signal, urgent: true })
      } catch (error) {
        throw asPictureError(error)
      }
    },
    cpuUsage: () => submit({ kind: 'usage' }),
    tasksWaiting: () => pool.waiting(),
    processIds: () => pool.pids(),
    close: () => pool.close(),
  }
}

/** The checks that need no child process, as they do not open the PDF. */
async function checkFile(file: string, limits: PaperLimits): Promise<void> {
  const { size } = await stat(file)
  if (size === 0) throw new PaperError('empty')
  if (!(await hasPdfSignature(file))) throw new PaperError('not_pdf')
  if (size > limits.megabytes * 2 ** 20)
    throw new PaperError(
      'too_much_memory',
      `This PDF is larger than ${limits.megabytes} MB. Scan it at a lower resolution, or split it, and upload it again.`,
    )
}

/**
 * True when `%PDF-` is in the first 1,024 bytes, where PDF readers look for it: mail gateways and some scanners put a few bytes before
 * it.
 */
async function hasPdfSignature(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
    return buffer.subarray(0, bytesRead).includes('%PDF-')
  } finally {
    await handle.close()
  }
}
