import type { Box, TurnedPage } from '@assay/shared/papers.ts'
import type { PenMark } from '@assay/shared/pen-marks.ts'

export type Verdict = 'full' | 'partial' | 'none' | 'open'

export interface MarkupNote {
  key: string
  page: number
  /** Points from the top left of the page as shown. */
  box: Box
  verdict: Verdict
  /** Such as `3 / 5`, after the letter of a part: `a`. */
  points: string
  part: string
  /** Only on the cover, under a number, where there is no room beside the mark. */
  comment: string
}

export type CoverBlock =
  | { kind: 'title'; text: string; above: string }
  | { kind: 'facts'; rows: { label: string; value: string }[] }
  | { kind: 'notice'; text: string }
  | { kind: 'score'; score: string; lines: string[] }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'entry'; key: string; tag: string; title: string; points: string; verdict: Verdict; feedback: string }
  | { kind: 'small'; text: string }

export interface PaperMarkup {
  /** For viewers and screen readers. */
  title: string
  cover: CoverBlock[]
  notes: MarkupNote[]
  /** The notes' boxes are those of the turned page. */
  turned: TurnedPage[]
  /** `words`: the text with its formulas set. */
  pen: (PenMark & { words?: string })[]
}
