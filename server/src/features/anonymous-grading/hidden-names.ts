import type { Box } from '@assay/shared/papers.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { AssignmentNames } from './present-student.ts'

export interface TextMask {
  hide(text: string): string
  /** `original`: the text before it was masked. */
  reveal(edited: string, original: string): string
}

export const noMask: TextMask = { hide: (text) => text, reveal: (text) => text }

/** Pictures of the pages, without the text and names of the original. */
export interface CoveredPdf {
  bytes: Buffer
  hash: string
}

export interface HiddenNames {
  /** The same for all papers, as one of its own would tell whose it is. Changes nothing where names are shown. */
  maskFor(assignment: AssignmentNames): Promise<TextMask>
  /** A page (from 1) as PNG. @throws {AppError} `names_hidden` if unreadable, as nobody knows what to cover */
  coveredPage(assignment: AssignmentNames, submission: SubmissionDoc, page: number, width: number): Promise<Buffer>
  coveredPdf(assignment: AssignmentNames, submission: SubmissionDoc): Promise<CoveredPdf>
  /** Without the lines that show whose paper it is. Pages count from 1. */
  uncoveredLines(assignment: AssignmentNames, submission: SubmissionDoc): Promise<LineFilter>
}

export type LineFilter = (page: number, box: Box) => boolean

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

export function hideTexts<T>(value: T, mask: TextMask): T {
  return mask === noMask ? value : (mapTexts(value, mask, (field) => TEXT_FIELDS.has(field)) as T)
}

export const hideAllTexts = <T>(value: T, mask: TextMask): T => mapTexts(value, mask, () => true) as T

function mapTexts(value: unknown, mask: TextMask, isText: (field: string) => boolean, field = ''): unknown {
  if (typeof value === 'string') return isText(field) ? mask.hide(value) : value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, mask, isText, field))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, mask, isText, key)]))
}
