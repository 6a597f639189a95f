import { z } from 'zod'

/** A paper with one of `holdingProblems` is not graded until a teacher has decided; with others it is flagged. */
export const paperProblemCodes = [
  'two_students',
  'other_name',
  'same_paper',
  'other_assignment',
  'damaged_page',
  'missing_page',
  'extra_page',
  'repeated_page',
] as const
export type PaperProblemCode = (typeof paperProblemCodes)[number]

export const holdingProblems: ReadonlySet<PaperProblemCode> = new Set<PaperProblemCode>([
  'two_students',
  'other_name',
  'same_paper',
  'other_assignment',
])

/** As a teacher reads it: what was found, and what to do. No name is in it. */
export const PaperProblem = z.object({
  code: z.enum(paperProblemCodes),
  message: z.string(),
  what_to_do: z.string(),
  /** Pages of the file, from 1; of `missing_page` those of the blank. */
  pages: z.array(z.number().int()),
  /** Of `two_students`, the page the second paper seems to begin on, where that is known. */
  second_begins_on: z.number().int().optional(),
  other_submission_id: z.number().int().optional(),
})
export type PaperProblem = z.infer<typeof PaperProblem>
