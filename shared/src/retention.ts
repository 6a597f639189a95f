import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { RetentionMonths } from './rules/retention.ts'

/** Null: the school's rule. */
const CourseMonths = RetentionMonths.nullable()

/** Months after an assignment's last activity; 0: for ever. */
export const CourseRetention = z.object({
  months: CourseMonths,
  school_months: RetentionMonths,
  effective_months: RetentionMonths,
  /** The first due first. `papers`: when the notice was given. */
  upcoming: z.array(z.object({ assignment_id: Id, title: z.string(), papers: z.number().int(), delete_at: Timestamp })),
})
export type CourseRetention = z.infer<typeof CourseRetention>

export const RetentionPreview = z.object({
  effective_months: RetentionMonths,
  /** Assignments older than the rule, without a notice yet. */
  assignments: z.number().int(),
  papers: z.number().int(),
  /** False with very many, of which the rest is not counted. */
  complete: z.boolean(),
  delete_at: Timestamp,
  noticed: z.number().int(),
  withdrawn: z.number().int(),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

export const getCourseRetention = defineEndpoint('get', '/courses/:courseId/retention', {
  summary: 'How long a course keeps student work, and what is to be deleted',
  reply: CourseRetention,
})

export const previewCourseRetention = defineEndpoint('get', '/courses/:courseId/retention/preview', {
  summary: 'What another retention rule would delete; without `months` the school’s',
  query: z.object({ months: z.coerce.number().pipe(RetentionMonths).optional() }),
  reply: RetentionPreview,
})

export const previewSchoolRetention = defineEndpoint('get', '/admin/retention/preview', {
  summary:
    'What another retention rule of the school would delete, in courses without a rule of their own and outside courses',
  access: ['admin'],
  query: z.object({ months: z.coerce.number().pipe(RetentionMonths) }),
  reply: RetentionPreview,
})

export const setCourseRetention = defineEndpoint('put', '/courses/:courseId/retention', {
  summary: 'Change how long a course keeps student work; nothing is deleted without 14 days’ notice',
  body: z.object({ months: CourseMonths }),
  reply: CourseRetention,
})
