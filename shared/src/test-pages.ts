import { z } from 'zod'
import { allRoles, BodyId, defineEndpoint, Id } from './http/endpoint.ts'

/** Off, these answer 404. */
export const fireTestCompletion = defineEndpoint('post', '/test/assignment-completion/:userId', {
  summary: 'Send a test notification of a graded assignment to a user’s open connections',
  access: allRoles,
  query: z.object({
    assignment_id: Id,
    assignment_title: z.string().trim().min(1).max(200).default('Test assignment'),
  }),
  reply: z.object({ message: z.string() }),
})

export const FailureKind = z.enum([
  '400',
  '401',
  '403',
  '404',
  '409',
  '413',
  '415',
  '422',
  '429',
  '503',
  'crash',
  /** No answer within any client’s timeout. */
  'timeout',
  'html_page',
])
export type FailureKind = z.infer<typeof FailureKind>

export const failOnPurpose = defineEndpoint('post', '/test/failures/:kind', {
  summary: 'Fail in the requested way',
  access: 'public',
  params: z.object({ kind: FailureKind }),
  reply: z.object({ id: BodyId }),
})
