import type { Box, TurnedPage } from '@assay/shared/papers.ts'

/** How much of the points an answer got; `open`: nobody has graded it yet. */
export type Verdict = 'full' | 'partial' | 'none' | 'open'

/** A mark beside what a person wrote. */
export interface MarkupNote {
  /** The same as of its entry on the cover. */
  key: string
  /** Counts from 1. */
  page: number
  /** What it is about, in points of the page as shown, from the top left. */
  box: Box
  verdict: Verdict
  /** Such as `3 / 5`, in front of it the letter of a part: `a`. */
  points: string
  part: string
  /** Written beside the mark where there is room, else only on the cover under a number. */
  comment: string
}

/** What the cover says, from top to bottom. */
export type CoverBlock =
  | { kind: 'title'; text: string; above: string }
  | { kind: 'facts'; rows: { label: string; value: string }[] }
  /** A banner, such as that the grade is not released. */
  | { kind: 'notice'; text: string }
  | { kind: 'score'; score: string; lines: string[] }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** One criterion: its number, what is asked, its points and the feedback. */
  | { kind: 'entry'; key: string; tag: string; title: string; points: string; verdict: Verdict; feedback: string }
  | { kind: 'small'; text: string }

/** What is added to a copy of a paper: a cover in front, and notes beside what its pages say. */
export interface PaperMarkup {
  /** The copy's title and language, for viewers and screen readers. */
  title: string
  cover: CoverBlock[]
  notes: MarkupNote[]
  /** These pages are turned upright; the notes' boxes are those of the page so turned. */
  turned: TurnedPage[]
}
