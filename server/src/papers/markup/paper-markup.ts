import type { Box, TurnedPage } from '@assay/shared/papers.ts'
import type { PenMark } from '@assay/shared/pen-marks.ts'

/** How much of the points an answer got; `open`: nobody has graded it yet. */
export type Verdict = 'full' | 'partial' | 'none' | 'open'

export interface MarkupNote {
  /** The same as its entry's on the cover. */
  key: string
  /** From 1. */
  page: number
  /** In points of the page as shown, from the top left. */
  box: Box
  verdict: Verdict
  /** Such as `3 / 5`, in front of it the letter of a part: `a`. */
  points: string
  part: string
  /** Written beside the mark where there is room, else only on the cover under a number. */
  comment: string
}

export type CoverBlock =
  | { kind: 'title'; text: string; above: string }
  | { kind: 'facts'; rows: { label: string; value: string }[] }
  /** A banner, such as that the grade is not released. */
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
  /** Pages to turn upright; the notes' boxes are those of the turned page. */
  turned: TurnedPage[]
  /** `words`: a text with its formulas, where they are set. */
  pen: (PenMark & { words?: string })[]
}
