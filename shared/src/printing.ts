import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { teachingRoles } from './users.ts'

// Copies of an assignment's blank for the class, with a code on each page by which a scanned page finds its student.

export const MOST_SPARE_COPIES = 500

export const NewPrint = z.object({
  /** A copy for each student of the course. */
  students: z.boolean(),
  /** Copies for nobody in particular. */
  spares: z.number().int().min(0).max(MOST_SPARE_COPIES),
  /** Whether students' names are printed on their copies. They are never in the code. */
  names: z.boolean(),
  /** An empty page after a copy with an odd number of pages, so that the next copy begins on a sheet of its own. */
  double_sided: z.boolean(),
})
export type NewPrint = z.infer<typeof NewPrint>

export const Print = z.object({
  id: Id,
  at: Timestamp,
  students: z.number().int(),
  spares: z.number().int(),
  /** Of each copy. */
  pages: z.number().int(),
  names: z.boolean(),
  double_sided: z.boolean(),
  /** Whether the assignment still has the blank that was printed. Without it the PDF cannot be made again. */
  current: z.boolean(),
})
export type Print = z.infer<typeof Print>

const ofAssignment = z.object({ assignmentId: Id })

export const createPrint = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/prints',
  summary: 'Prepare copies of the blank for the class, with a code on each page',
  access: teachingRoles,
  params: ofAssignment,
  body: NewPrint,
  reply: Print,
  status: 201,
})

/** The latest first. */
export const listPrints = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/prints',
  summary: 'What was printed of an assignment’s blank',
  access: teachingRoles,
  params: ofAssignment,
  reply: z.array(Print),
})

export const getPrintedCopies = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/prints/:printId/copies.pdf',
  summary: 'All copies of a print as one PDF',
  access: teachingRoles,
  params: z.object({ assignmentId: Id, printId: Id }),
  reply: z.string(),
  raw: 'application/pdf',
  timeoutMs: 300_000,
})

export const MOST_SEPARATOR_SHEETS = 500

export const getSeparatorSheets = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/separator-sheets.pdf',
  summary: 'Separator sheets, to be placed before each paper of a class scan, as one PDF',
  access: teachingRoles,
  params: ofAssignment,
  query: z.object({ sheets: z.coerce.number().int().min(1).max(MOST_SEPARATOR_SHEETS).default(1) }),
  reply: z.string(),
  raw: 'application/pdf',
})
