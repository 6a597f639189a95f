import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'

// A code on each page tells a scan's student.

export const MOST_SPARE_COPIES = 500

/** `answer_sheets`: with circles to fill for choice questions, and true and false. */
export const printKinds = ['copies', 'answer_sheets'] as const
export const PrintKind = z.enum(printKinds)
export type PrintKind = z.infer<typeof PrintKind>

export const NewPrint = z.object({
  kind: PrintKind.default('copies'),
  students: z.boolean(),
  spares: z.number().int().min(0).max(MOST_SPARE_COPIES),
  /** On students' copies; never in the code. */
  names: z.boolean(),
  /** An empty page after an odd number of pages, so that each copy begins on a new sheet. */
  double_sided: z.boolean(),
})
export type NewPrint = z.infer<typeof NewPrint>

export const Print = z.object({
  id: Id,
  kind: PrintKind,
  at: Timestamp,
  students: z.number().int(),
  spares: z.number().int(),
  /** Answer sheets with a student number grid may have one more. */
  pages: z.number().int(),
  names: z.boolean(),
  double_sided: z.boolean(),
  /** The PDF can be drawn again: copies only while the assignment has that blank. */
  current: z.boolean(),
})
export type Print = z.infer<typeof Print>

/**
 * `options`: none could be read, or over six; `several` are right, and a sheet asks for one circle; `label`: its number
 * is too long to print.
 */
export const LeftOutReason = z.enum(['options', 'several', 'label'])
export type LeftOutReason = z.infer<typeof LeftOutReason>

export const AnswerSheetQuestions = z.object({
  questions: z.array(z.object({ number: z.string(), options: z.number().int() })),
  left_out: z.array(z.object({ number: z.string(), options: z.number().int(), why: LeftOutReason })),
  /** For the student number, on spare sheets; 0 where the roster has none. */
  digits: z.number().int(),
  /** Circles for the paper's version, as the rubric has several keys. */
  versions: z.boolean(),
})
export type AnswerSheetQuestions = z.infer<typeof AnswerSheetQuestions>

export const createPrint = defineEndpoint('post', '/assignments/:assignmentId/prints', {
  summary: 'Prepare copies of the blank, or answer sheets, for the class, with a code on each page',
  body: NewPrint,
  reply: Print,
  status: 201,
})

export const getAnswerSheetQuestions = defineEndpoint('get', '/assignments/:assignmentId/answer-sheet', {
  summary: 'The questions an answer sheet of the assignment would have',
  reply: AnswerSheetQuestions,
})

export const listPrints = defineEndpoint('get', '/assignments/:assignmentId/prints', {
  summary: 'What was printed of an assignment’s blank',
  reply: z.array(Print),
})

export const getPrintedCopies = defineEndpoint('get', '/assignments/:assignmentId/prints/:printId/copies.pdf', {
  summary: 'All copies of a print as one PDF',
  reply: z.string(),
  raw: 'application/pdf',
  timeoutMs: 300_000,
})

export const MOST_SEPARATOR_SHEETS = 500

export const getSeparatorSheets = defineEndpoint('get', '/assignments/:assignmentId/separator-sheets.pdf', {
  summary: 'Separator sheets, to be placed before each paper of a class scan, as one PDF',
  query: z.object({ sheets: z.coerce.number().int().min(1).max(MOST_SEPARATOR_SHEETS).default(1) }),
  reply: z.string(),
  raw: 'application/pdf',
})
