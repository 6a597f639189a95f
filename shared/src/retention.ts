import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { teachingRoles } from './users.ts'

/** For how long student work is kept after the last activity of its assignment, in months; 0 for ever. */
export const RetentionMonths = z.number().int().min(0).max(240)

export const CourseRetention = z.object({
  /** The course's own rule; null where the school's holds. */
  own_months: RetentionMonths.nullable(),
  school_months: RetentionMonths,
  /** What the rule, or the one asked about, would delete next, and from when; null where that is nothing. */
  due: z.object({ assignments: z.number().int(), papers: z.number().int(), delete_at: Timestamp }).nullable(),
})
export type CourseRetention = z.infer<typeof CourseRetention>

const courseId = z.object({ courseId: Id })

export const getCourseRetention = defineEndpoint({
  method: 'get',
  path: '/courses/:courseId/retention',
  summary: 'For how long a course’s student work is kept, and what is deleted next',
  access: teachingRoles,
  params: courseId,
  query: z.object({
    /** What another rule would delete; the school's is asked about by its months. */
    months: z.coerce.number().pipe(RetentionMonths).optional(),
  }),
  reply: CourseRetention,
})

export const changeCourseRetention = defineEndpoint({
  method: 'put',
  path: '/courses/:courseId/retention',
  summary: 'Change for how long a course’s student work is kept; null for the school’s rule',
  access: teachingRoles,
  params: courseId,
  body: z.object({ months: RetentionMonths.nullable() }),
  reply: CourseRetention,
})
