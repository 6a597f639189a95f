import { z } from 'zod'

/** `holdingProblems` hold a paper until a teacher has decided; others flag it. */
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

/** In words, without a name: what was found, and what to do. */
export const PaperProblem = z.object({
  code: z.enum(paperProblemCodes),
  message: z.string(),
  what_to_do: z.string(),
  /** Of the file, from 1; for `missing_page` of the blank. */
  pages: z.array(z.number().int()),
  second_begins_on: z.number().int().optional(),
  other_submission_id: z.number().int().optional(),
})
export type PaperProblem = z.infer<typeof PaperProblem>
