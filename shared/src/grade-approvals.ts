import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'

export const GradeApproval = z.object({
  id: Id,
  state: z.enum(['applying', 'applied', 'undoing', 'undone']),
  at: Timestamp,
  /** By the caller, flagged or not; omitted where they were all that were sure. */
  chosen: z.literal(true).optional(),
  total: z.number().int(),
  done: z.number().int(),
  approved: z.number().int(),
  /** Changed before their turn, sure no longer, or of a paper that was approved before or has no whole grade. */
  skipped: z.number().int(),
  /** These are suggestions again; the others were changed since and stay. */
  undone: z.number().int(),
})
export type GradeApproval = z.infer<typeof GradeApproval>

export const GradeApprovals = z.object({
  /** Unflagged, and the grader is sure of each criterion. 0 while `latest` is under way. */
  sure: z.number().int(),
  /** Of the caller's last 24 hours, to be undone. */
  latest: GradeApproval.nullable(),
})
export type GradeApprovals = z.infer<typeof GradeApprovals>

export const getGradeApprovals = defineEndpoint('get', '/assignments/:assignmentId/grade-approvals', {
  summary: 'How many suggested grades are sure, and the caller’s latest approval of such grades',
  reply: GradeApprovals,
})

export const approveGrades = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals', {
  summary: 'Approve every suggested grade that is sure, or those of chosen papers, flagged or not',
  status: 202,
  body: z.union([
    /** As the caller was told: where more are sure by now, nothing is approved. */
    z.strictObject({ expected: z.number().int().min(1) }),
    z.strictObject({ submission_ids: z.array(BodyId).min(1).max(10_000) }),
  ]),
  reply: GradeApproval,
})

export const undoGradeApproval = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals/:approvalId/undo', {
  summary: 'Make the grades of an approval suggestions again, except those changed since',
  status: 202,
  reply: GradeApproval,
})
