import type { Paper } from '@assay/shared/papers.ts'
import type { SheetsToPrint } from '../answer-sheet/sheet-design.ts'
import type { SheetPageReading, SheetPageToRead } from '../answer-sheet/sheet-reading.ts'
import type { CopyToPrint, PageCodeOfFile, PrintOptions } from '../codes/printed-copy.ts'
import type { QuarterTurns } from '../geometry/quarter-turns.ts'
import type { PaperMarkup } from '../markup/paper-markup.ts'
import type { PaperErrorCode } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { PageOfPicture, PageOfPictureTask } from '../sheet/page-of-picture.ts'
import type { ComposedPage } from '../splitting/compose-paper.ts'
import type { PageTop, ScannedPage } from '../splitting/scanned-page.ts'

export type ReadingTask =
  | { kind: 'check'; file: string }
  | { kind: 'read'; file: string; skip: readonly number[]; typedOnly: boolean }
  | { kind: 'render'; file: string; page: number; width: number }
  | { kind: 'markup'; file: string | null; markup: PaperMarkup }
  | { kind: 'count'; file: string }
  | { kind: 'scan'; file: string; from: number; to: number; blank: string | null }
  | { kind: 'tops'; file: string; pages: { number: number; turns: QuarterTurns }[] }
  | { kind: 'compose'; pages: ComposedPage[] }
  | { kind: 'print'; file: string; copies: readonly CopyToPrint[]; options: PrintOptions }
  | { kind: 'pageCodes'; file: string; pages: readonly number[] | undefined }
  | { kind: 'printSheets'; sheets: readonly SheetsToPrint[]; options: PrintOptions & { title: string } }
  | { kind: 'separators'; count: number }
  | { kind: 'answerSheets'; file: string; pages: readonly SheetPageToRead[] }
  | ({ kind: 'picture' } & PageOfPictureTask)
  | { kind: 'usage' }

export interface ReadingReply {
  check: { pages: number }
  read: Paper | null
  render: Buffer
  markup: Buffer
  count: { pages: number }
  scan: ScannedPage[]
  tops: PageTop[]
  compose: Buffer
  print: Buffer
  pageCodes: PageCodeOfFile[]
  printSheets: Buffer
  separators: Buffer
  answerSheets: SheetPageReading[]
  picture: PageOfPicture
  usage: { cpuMicroseconds: number; pid: number }
}

export type ToChild = { id: number; task: ReadingTask; limits: PaperLimits }

export type FromChild =
  | { id: number; type: 'page'; done: number; total: number }
  | ({ id: number; type: 'done'; reply: ReadingReply[keyof ReadingReply] } & TaskEnd)
  | ({ id: number; type: 'failed'; code: PaperErrorCode; message: string; cause: string } & TaskEnd)

interface TaskEnd {
  /** A WASM trap leaves memory inconsistent, and WASM memory never shrinks after a large paper. */
  discard: boolean
}

export interface Progress {
  /** A long operation begins: it has `secondsPerPage`. */
  step(): void
  page(done: number, total: number): void
}
