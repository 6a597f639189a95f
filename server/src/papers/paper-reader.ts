import { stat } from 'node:fs/promises'
import type { Paper } from '@assay/shared/papers.ts'
import { PaperError } from './paper-error.ts'
import { defaultPaperLimits, type PaperLimits } from './paper-limits.ts'
import { hasPdfSignature } from './pdf/pdf-signature.ts'
import type { ReadingReply, ReadingTask } from './reading/reading-messages.ts'
import { type PoolLog, ReadingPool, type SubmitOptions } from './reading/reading-pool.ts'

export interface ReadOptions {
  signal?: AbortSignal
  /** Called in this process after each page, counting from 1. */
  onPage?: (done: number, total: number) => void
}

/** PDFs in, pages out. Every method throws PaperError, whose message a teacher can act on. */
export interface PaperReader {
  /** Cheap checks first: size, the `%PDF-` signature by content, encryption, page count. */
  check(file: string): Promise<{ pages: number }>
  /**
   * Text with positions, form values and annotations; OCR where a page has no text of its own.
   * A blank page has no lines, which is no error.
   */
  read(file: string, options?: ReadOptions): Promise<Paper>
  /** One page (counting from 1) as a PNG `width` pixels wide, form values and annotations included. */
  renderPage(file: string, page: number, options: { width: number }): Promise<Buffer>
  /** CPU time each child alive has used, in microseconds by process id: for the benchmark. */
  cpuUsage(): Promise<{ cpuMicroseconds: number; pid: number }>
  /** Process ids of the children alive now. */
  processIds(): number[]
  close(): Promise<void>
}

export interface PaperReaderOptions {
  /** Child processes at most; each is started when first needed. */
  processes?: number
  log?: PoolLog
  limits?: Partial<PaperLimits>
}

export function createPaperReader(options: PaperReaderOptions = {}): PaperReader {
  const limits = { ...defaultPaperLimits, ...options.limits }
  const pool = new ReadingPool(options.processes ?? 2, limits, options.log ?? (() => {}))

  async function submit<K extends keyof ReadingReply>(
    task: Extract<ReadingTask, { kind: K }>,
    how?: SubmitOptions,
  ): Promise<ReadingReply[K]> {
    // The child answers a task with the reply of its kind: see `runTask`.
    return (await pool.submit(task, how)) as ReadingReply[K]
  }

  return {
    async check(file) {
      await checkFile(file, limits)
      return submit({ kind: 'check', file }, { urgent: true })
    },
    async read(file, { signal, onPage } = {}) {
      await checkFile(file, limits)
      return submit({ kind: 'read', file }, { signal, onPage })
    },
    async renderPage(file, page, { width }) {
      await checkFile(file, limits)
      const png = await submit({ kind: 'render', file, page, width }, { urgent: true })
      return Buffer.from(png)
    },
    cpuUsage: () => submit({ kind: 'usage' }),
    processIds: () => pool.pids(),
    close: () => pool.close(),
  }
}

/** What can be said without opening the PDF, and so without a child process. */
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
