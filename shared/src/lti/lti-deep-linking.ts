import { z } from 'zod'
import { Assignment } from '../assignments.ts'
import { BodyId, defineEndpoint, Id, Timestamp } from '../http/endpoint.ts'

/** Of one response: a term's worth, in a message every LMS accepts. */
export const MAX_LINKS = 100

export const LinkableAssignment = z.object({
  ...Assignment.pick({ id: true, title: true, status: true, due_at: true, created_at: true }).shape,
  /** Null before the first run has read the questions. */
  points: z.number().nullable(),
  linked: z.boolean(),
  /** Sent to this LMS course; whether it stored the link shows when somebody opens it. */
  added_at: Timestamp.nullable(),
})
export type LinkableAssignment = z.infer<typeof LinkableAssignment>

export const LinkChoice = z.object({
  platform_name: z.string(),
  context_title: z.string().nullable(),
  /** False when the LMS named no course: nothing can be linked or chosen. */
  in_course: z.boolean(),
  course: z.object({ id: Id, name: z.string() }).nullable(),
  accepts: z.object({ links: z.boolean(), several: z.boolean(), line_items: z.boolean() }),
  /** A launch has one response. */
  answered: z.boolean(),
  assignments: z.array(LinkableAssignment),
})
export type LinkChoice = z.infer<typeof LinkChoice>

export const getLinkChoice = defineEndpoint('get', '/lti/launch/deep-link', {
  summary: 'The assignments an instructor can link in the LMS’s course, and how many at once',
  access: ['instructor'],
  reply: LinkChoice,
})

export const answerDeepLink = defineEndpoint('post', '/lti/launch/deep-link', {
  summary:
    'Send the chosen assignments, or none, to the LMS’s course; returns the address of a page, valid once for five minutes, that posts the signed response',
  access: ['instructor'],
  body: z.object({
    assignment_ids: z
      .array(BodyId)
      .max(MAX_LINKS, `Choose ${MAX_LINKS} assignments at most`)
      .transform((ids) => [...new Set(ids)]),
  }),
  reply: z.object({
    /** A path of ours: `/lti/return/{token}`. */
    page: z.string(),
  }),
})
