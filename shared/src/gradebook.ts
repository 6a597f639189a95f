import { z } from 'zod'
import { gradebookFormats } from './grades.ts'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'

export const GradebookColumn = z.object({
  assignment_id: Id,
  title: z.string(),
  status: z.enum(['draft', 'published']),
  due_at: Timestamp.nullable(),
  max_points: z.number().nullable(),
  names_hidden: z.boolean(),
  counts: z.boolean(),
  weight: z.number(),
  /** Of the released grades below, in percent with one decimal. */
  mean: z.number().nullable(),
})
export type GradebookColumn = z.infer<typeof GradebookColumn>

/** Omits the usual, as there are many: a released grade of the column's points is `{submission_id, points}`. */
export const GradebookCell = z.object({
  submission_id: Id.optional(),
  points: z.number().optional(),
  /** Where not the column's `max_points`. */
  of: z.number().optional(),
  /**
   * `unreleased`: hidden and not counted. `newer`: these points are released, and a newer grade or paper waits.
   * `ungraded`: without a complete grade. `missing`: due, and no paper.
   */
  state: z.enum(['unreleased', 'newer', 'ungraded', 'missing']).optional(),
  late: z.literal(true).optional(),
  /** The paper of a group. */
  shared: z.literal(true).optional(),
  /** Left out of the total as one of the lowest. */
  dropped: z.literal(true).optional(),
})
export type GradebookCell = z.infer<typeof GradebookCell>

export const GradebookRow = z.object({
  student_id: Id,
  username: z.string(),
  full_name: z.string().nullable(),
  student_number: z.string().nullable(),
  /** Of the released grades that count, in percent with one decimal. */
  total: z.number().nullable(),
  cells: z.array(GradebookCell.nullable()),
})
export type GradebookRow = z.infer<typeof GradebookRow>

export const Gradebook = z.object({
  columns: z.array(GradebookColumn),
  rows: z.array(GradebookRow),
  drop_lowest: z.number().int(),
  mean: z.number().nullable(),
})
export type Gradebook = z.infer<typeof Gradebook>

const DROP_RANGE = 'Enter a whole number from 0 to 50'

/** Omitted fields stay. */
export const GradebookSettings = z.object({
  drop_lowest: z.int({ error: DROP_RANGE }).min(0, DROP_RANGE).max(50, DROP_RANGE).optional(),
  assignments: z
    .array(
      z.object({
        assignment_id: BodyId,
        counts: z.boolean(),
        weight: z
          .number({ error: 'Enter the weight as a number' })
          .gt(0, 'Enter a weight above 0')
          .max(1000, 'Enter a weight of 1000 at most'),
      }),
    )
    .max(1000)
    .optional(),
})

export const getGradebook = defineEndpoint('get', '/courses/:courseId/gradebook', {
  summary: 'Every student’s points in every assignment of a course, with the totals',
  reply: Gradebook,
})

export const updateGradebook = defineEndpoint('patch', '/courses/:courseId/gradebook', {
  summary:
    'Change what counts in a course’s totals: assignments, their weights, and how many of the lowest are dropped',
  body: GradebookSettings,
  reply: z.object({ message: z.string() }),
})

export const exportGradebook = defineEndpoint('get', '/courses/:courseId/export/gradebook.csv', {
  summary: 'A course’s gradebook as CSV; with `format` as that gradebook imports it',
  query: z.object({ format: z.enum(gradebookFormats).optional() }),
  reply: z.string(),
  raw: 'text/csv',
})
