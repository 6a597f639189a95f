import type { Box } from '@assay/shared/papers.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { AssignmentNames } from './present-student.ts'

/** Replaces names in what graders read. */
export interface TextMask {
  hide(text: string): string
  /** Puts the names back into what a grader made of a text that was shown masked. `original`: the text before it was masked. */
  reveal(edited: string, original: string): string
}

export const noMask: TextMask = { hide: (text) => text, reveal: (text) => text }

/** A PDF made of pictures, without the text and the names of the original. `hash` identifies its content. */
export interface CoveredPdf {
  bytes: Buffer
  hash: string
}

/** Hides names where texts and pages of papers are shown; part of `Services`, as it needs what has been read of all papers. */
export interface HiddenNames {
  /** The mask of each submission's texts, by its id; one that changes nothing where the assignment shows names. */
  masksFor(assignment: AssignmentNames, submissions: SubmissionDoc[]): Promise<(submissionId: number) => TextMask>
  maskFor(assignment: AssignmentNames, submission: SubmissionDoc): Promise<TextMask>
  /** The mask of texts that are about no paper, such as rubric items: every name of the course. */
  courseMaskFor(assignment: AssignmentNames): Promise<TextMask>
  /**
   * A page (from 1) as PNG with every place covered that shows whose paper it is.
   * @throws {AppError} `names_hidden` where the paper cannot be read, so nobody knows what to cover
   */
  coveredPage(assignment: AssignmentNames, submission: SubmissionDoc, page: number, width: number): Promise<Buffer>
  /** All pages so. @throws {AppError} like `coveredPage` */
  coveredPdf(assignment: AssignmentNames, submission: SubmissionDoc): Promise<CoveredPdf>
  /** A paper's lines as read, without those that show whose it is. Page numbers count from 1. */
  uncoveredLines(assignment: AssignmentNames, submission: SubmissionDoc): Promise<LineFilter>
}

export type LineFilter = (page: number, box: Box) => boolean

/** Where replies to graders have free text: people's, the graders' and what was read. */
const TEXT_FIELDS = new Set([
  'answer',
  'excerpt',
  'feedback',
  'llm_feedback',
  'llm_summary_feedback',
  'manual_feedback',
  'message',
  'quote',
  'raw',
  'read_text',
  'reason',
  'reasoning',
  'reasons',
  'review_summary',
  'teacher_feedback',
  'text',
])

/** A copy of a reply, or of a part of it, with every free text masked. */
export function hideTexts<T>(value: T, mask: TextMask): T {
  return mask === noMask ? value : (mapTexts(value, mask, (field) => TEXT_FIELDS.has(field)) as T)
}

/** The same with every text in it, for what has no known shape. */
export const hideAllTexts = <T>(value: T, mask: TextMask): T => mapTexts(value, mask, () => true) as T

function mapTexts(value: unknown, mask: TextMask, isText: (field: string) => boolean, field = ''): unknown {
  if (typeof value === 'string') return isText(field) ? mask.hide(value) : value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, mask, isText, field))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, mask, isText, key)]))
}
