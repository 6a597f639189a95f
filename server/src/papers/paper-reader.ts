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

interface Stoppable {
  signal?: AbortSignal
}

interface ReadOptions extends Stoppable {
  onPage?: (done: number, total: number) => void
}

export type PaperReader = ReturnType<typeof createPaperReader>

export interface PaperReaderOptions {
  /** At most, besides one that draws pages while all are busy; started when first needed. */
  processes?: number
  log?: PoolLog
  metrics?: PoolMetrics
  limits?: Partial<PaperLimits>
}

/** Every method throws PaperError, whose message tells a teacher what to do. */
export function createPaperReader(options: PaperReaderOptions = {}) {
  const limits = { ...defaultPaperLimits, ...options.limits }
  const pool = new ReadingPool(options.processes ?? 2, limits, options.log ?? (() => {}), options.metrics)

  async function readPaper(
    file: string,
    { signal, onPage, skip = [], typedOnly = false }: ReadOptions & { skip?: readonly number[]; typedOnly?: boolean },
  ): Promise<Paper | null> {
    await checkFile(file, limits)
    const unreadable: number[] = []
    for (;;) {
      let [next, total] = [1, 0]
      const progress = (done: number, of: number) => {
        next = done + 1
        total = of
        if (done > 0) onPage?.(done, of)
      }
      try {
        const task = { kind: 'read' as const, file, skip: [...skip, ...unreadable], typedOnly }
        const paper = await submit(task, { signal, onPage: progress })
        return paper && withDamaged(paper, unreadable)
      } catch (error) {
        if (!exceedsLimits(error) || next > total || total < 2 || unreadable.length === MAX_UNREADABLE_PAGES)
          throw error
        unreadable.push(next)
      }
    }
  }

  async function submit<K extends keyof ReadingReply>(
    task: Extract<ReadingTask, { kind: K }>,
    how?: SubmitOptions,
  ): Promise<ReadingReply[K]> {
    // The child replies to each kind of task with its own type: see `runTask`.
    return (await pool.submit(task, how)) as ReadingReply[K]
  }

  return {
    /** Size, `%PDF-` signature, encryption and page count, cheapest first. */
    async check(file: string): Promise<{ pages: number }> {
      await checkFile(file, limits)
      return submit({ kind: 'check', file }, { urgent: true })
    },
    /** OCR reads pages without text. A page that exceeds the limits is damaged: the others are read without it. */
    async read(file: string, options: ReadOptions & { skip?: readonly number[] } = {}): Promise<Paper> {
      const paper = await readPaper(file, options)
      if (!paper) throw new Error('only a reading of typed text alone ends without a paper')
      return paper
    },
    /** Null where a page is a picture: OCR takes a hundred times as long. */
    readTyped: (file: string, options: ReadOptions = {}): Promise<Paper | null> =>
      readPaper(file, { ...options, typedOnly: true }),
    /** A PNG, form values and annotations included; pages count from 1, `width` in pixels. */
    async renderPage(file: string, page: number, { width }: { width: number }): Promise<Buffer> {
      await checkFile(file, limits)
      const png = await submit({ kind: 'render', file, page, width }, { urgent: true })
      return Buffer.from(png)
    },
    /** Without a file only the cover. */
    async markUp(
      file: string | null,
      markup: PaperMarkup,
      { signal, urgent = false }: Stoppable & { urgent?: boolean } = {},
    ): Promise<Buffer> {
      if (file !== null) await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'markup', file, markup }, { signal, urgent }))
    },
    /** For class scans, which may have more pages than a paper. */
    async countPages(file: string): Promise<number> {
      await checkFile(file, limits)
      return (await submit({ kind: 'count', file })).pages
    },
    async scanPages(
      file: string,
      { from, to }: { from: number; to: number },
      { blank, signal, onPage }: ReadOptions & { blank: string | null },
    ): Promise<ScannedPage[]> {
      await checkFile(file, limits)
      return submit({ kind: 'scan', file, from, to, blank }, { signal, onPage })
    },
    async readTops(
      file: string,
      pages: { number: number; turns: QuarterTurns }[],
      { signal }: Stoppable = {},
    ): Promise<PageTop[]> {
      await checkFile(file, limits)
      return submit({ kind: 'tops', file, pages }, { signal })
    },
    async compose(pages: ComposedPage[], { signal }: Stoppable = {}): Promise<Buffer> {
      for (const file of new Set(pages.map((page) => page.file))) await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'compose', pages }, { signal }))
    },
    async printCopies(
      file: string,
      copies: readonly CopyToPrint[],
      { signal, ...options }: PrintOptions & Stoppable,
    ): Promise<Buffer> {
      await checkFile(file, limits)
      return Buffer.from(await submit({ kind: 'print', file, copies, options }, { signal, urgent: true }))
    },
    /** Of the given pages (from 1) or all; those without a code are left out. */
    async readPageCodes(
      file: string,
      pages?: readonly number[],
      { signal, onPage }: ReadOptions = {},
    ): Promise<PageCodeOfFile[]> {
      await checkFile(file, limits)
      return submit({ kind: 'pageCodes', file, pages }, { signal, onPage })
    },
    async printAnswerSheets(
      sheets: readonly SheetsToPrint[],
      { signal, ...options }: PrintOptions & Stoppable & { title: string },
    ): Promise<Buffer> {
      return Buffer.from(await submit({ kind: 'printSheets', sheets, options }, { signal, urgent: true }))
    },
    async printSeparators(count: number): Promise<Buffer> {
      return Buffer.from(await submit({ kind: 'separators', count }, { urgent: true }))
    },
    async readAnswerSheets(
      file: string,
      pages: readonly SheetPageToRead[],
      { signal, onPage }: ReadOptions = {},
    ): Promise<SheetPageReading[]> {
      await checkFile(file, limits)
      return submit({ kind: 'answerSheets', file, pages }, { signal, onPage })
    },
    /** Its errors are worded for who took the picture. */
    async pageOfPicture(task: PageOfPictureTask, { signal }: Stoppable = {}): Promise<PageOfPicture> {
      try {
        return await submit({ kind: 'picture', ...task }, { signal, urgent: true })
      } catch (error) {
        throw asPictureError(error)
      }
    },
    /** Microseconds of CPU of each running child, for the benchmark. */
    cpuUsage: (): Promise<{ cpuMicroseconds: number; pid: number }> => submit({ kind: 'usage' }),
    tasksWaiting: () => pool.waiting(),
    processIds: () => pool.pids(),
    close: () => pool.close(),
  }
}

const MAX_UNREADABLE_PAGES = 3

function exceedsLimits(error: unknown): boolean {
  if (!(error instanceof PaperError) || error.cause !== undefined) return false
  return error.code === 'too_long' || error.code === 'too_much_memory'
}

function withDamaged({ pages }: Paper, damaged: readonly number[]): Paper {
  return { pages: pages.map((page) => (damaged.includes(page.number) ? { ...page, damaged: true } : page)) }
}

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

/** Readers accept `%PDF-` in the first 1,024 bytes: mail gateways and scanners put bytes before it. */
async function hasPdfSignature(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
    return buffer.subarray(0, bytesRead).includes('%PDF-')
  } finally {
    await handle.close()
  }
}
