import type { Paper } from '@assay/shared/papers.ts'
import type { PaperErrorCode } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'

/** What a child process is asked to do. */
export type ReadingTask =
  | { kind: 'check'; file: string }
  | { kind: 'read'; file: string }
  | { kind: 'render'; file: string; page: number; width: number }
  /** CPU time used so far, for the benchmark. */
  | { kind: 'usage' }

export interface ReadingReply {
  check: { pages: number }
  read: Paper
  render: Buffer
  usage: { cpuMicroseconds: number; pid: number }
}

/** Parent to child. */
export type ToChild = { id: number; task: ReadingTask; limits: PaperLimits }

/** Child to parent. `step` says that work goes on, and starts the clock of `secondsPerPage` again. */
export type FromChild =
  | { id: number; type: 'step' }
  | { id: number; type: 'page'; done: number; total: number }
  | ({ id: number; type: 'done'; reply: ReadingReply[keyof ReadingReply] } & TaskEnd)
  | ({ id: number; type: 'failed'; code: PaperErrorCode; message: string; cause: string } & TaskEnd)

interface TaskEnd {
  /**
   * This process must not be used again: a WASM trap leaves its memory half-written; and WASM memory
   * never shrinks, so after a large paper the next, innocent one would be stopped for using too much.
   */
  discard: boolean
}
