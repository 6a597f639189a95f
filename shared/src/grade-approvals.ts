import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { teachingRoles } from './users.ts'

export const GradeApproval = z.object({
  id: Id,
  state: z.enum(['applying', 'applied', 'undoing', 'undone']),
  at: Timestamp,
  total: z.number().int(),
  done: z.number().int(),
  approved: z.number().int(),
  /** Changed before it was their turn, or sure no longer: left alone. */
  skipped: z.number().int(),
  /** How many are suggestions again. The others were changed since and are as they were left. */
  undone: z.number().int(),
})
export type GradeApproval = z.infer<typeof GradeApproval>

export const GradeApprovals = z.object({
  /** Suggestions with no flag, of whose every criterion the grader is sure. 0 while `latest` is under way. */
  sure: z.number().int(),
  /** The caller's own latest of the last 24 hours, which can be undone; null if there is none. */
  latest: GradeApproval.nullable(),
})
export type GradeApprovals = z.infer<typeof GradeApprovals>

export const getGradeApprovals = defineEndpoint('get', '/assignments/:assignmentId/grade-approvals', {
  summary: 'How many suggested grades are sure, and the caller’s latest approval of such grades',
  access: teachingRoles,
  reply: GradeApprovals,
})

export const approveSureGrades = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals', {
  summary: 'Approve every suggested grade that is sure',
  access: teachingRoles,
  status: 202,
  /** As many as the caller was told of: where more are sure by now, nothing is approved. */
  body: z.object({ expected: z.number().int().min(1) }),
  reply: GradeApproval,
})

export const undoGradeApproval = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals/:approvalId/undo', {
  summary: 'Make the grades of an approval suggestions again, except those changed since',
  access: teachingRoles,
  status: 202,
  reply: GradeApproval,
})
