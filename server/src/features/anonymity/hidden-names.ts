import type { Box } from '@assay/shared/papers.ts'
import type { ShownName, ShownStudent } from '@assay/shared/users.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'

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

export const hideTexts = <T>(value: T, mask: TextMask): T =>
  mask === noMask ? value : (mapTexts(value, mask, (field) => TEXT_FIELDS.has(field)) as T)

export const hideAllTexts = <T>(value: T, mask: TextMask): T => mapTexts(value, mask, () => true) as T

function mapTexts(value: unknown, mask: TextMask, isText: (field: string) => boolean, field = ''): unknown {
  if (typeof value === 'string') return isText(field) ? mask.hide(value) : value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, mask, isText, field))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, mask, isText, key)]))
}

export type AssignmentNames = Pick<AssignmentDoc, '_id' | 'course_id' | 'anonymous'>

export type NamedSubmission = Pick<SubmissionDoc, 'student_identifier' | 'paper_number' | 'file'>

/** Everyone who grades the assignment then works without names, administrators too. */
export const hidesNames = ({ anonymous }: Pick<AssignmentDoc, 'anonymous'>): boolean => anonymous?.names_hidden === true

// The one place that says a text may be shown to a grader.
const asShown = (name: string) => name as ShownName

/** Graders see this and `shownFileName`, never `student_identifier` or `file.name`. */
export function submissionLabel(assignment: AssignmentNames, submission: NamedSubmission): ShownName {
  if (!hidesNames(assignment)) return asShown(submission.student_identifier)
  return asShown(submission.paper_number === undefined ? 'Paper' : `Paper ${submission.paper_number}`)
}

export const shortSubmissionLabel = (
  assignment: AssignmentNames,
  submission: NamedSubmission,
  studentName: string | undefined,
): ShownName =>
  studentName === undefined || hidesNames(assignment) ? submissionLabel(assignment, submission) : asShown(studentName)

export function shownFileName(assignment: AssignmentNames, submission: NamedSubmission): ShownName {
  return hidesNames(assignment)
    ? asShown(`${submissionLabel(assignment, submission)}.pdf`)
    : asShown(submission.file.name)
}

/** Null while names are hidden, since an id alone tells who it is. */
export function shownStudent(
  assignment: AssignmentNames,
  student: Pick<UserDoc, '_id' | 'username' | 'full_name'> | undefined,
): ShownStudent | null {
  return student && !hidesNames(assignment) ? asShownStudent(student) : null
}

/** The others of a group, likewise. */
export const shownPartners = (
  assignment: AssignmentNames,
  partners: Pick<UserDoc, '_id' | 'username' | 'full_name'>[],
): { partners?: ShownStudent[] } =>
  partners.length === 0 || hidesNames(assignment) ? {} : { partners: partners.map(asShownStudent) }

const asShownStudent = ({ _id, username, full_name }: Pick<UserDoc, '_id' | 'username' | 'full_name'>) =>
  ({ id: _id, username, full_name }) as ShownStudent

declare const namesShown: unique symbol
export type ShowsNames<A extends AssignmentNames = AssignmentNames> = A & { readonly [namesShown]: true }

export function requireNamesShown<A extends AssignmentNames>(assignment: A): ShowsNames<A> {
  if (hidesNames(assignment)) throw new AppError('names_hidden')
  return assignment as ShowsNames<A>
}

export const namedStudent = (
  _assignment: ShowsNames,
  student: Pick<UserDoc, '_id' | 'username' | 'full_name'>,
): ShownStudent => asShownStudent(student)

export const nameAsRead = (_assignment: ShowsNames, name: string): ShownName => asShown(name)
