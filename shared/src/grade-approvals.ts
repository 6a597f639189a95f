import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'

export const GradeApproval = z.object({
  id: Id,
  state: z.enum(['applying', 'applied', 'undoing', 'undone']),
  at: Timestamp,
  /** By the caller, flagged or not; omitted where all that were sure were approved. */
  chosen: z.literal(true).optional(),
  total: z.number().int(),
  done: z.number().int(),
  approved: z.number().int(),
  /** Changed since the caller saw them, or sure no longer. */
  skipped: z.number().int(),
  /** Chosen, but reviewed before or not complete; omitted: none. */
  unfit: z.number().int().optional(),
  /** These are suggestions again; the others were changed since and stay. */
  undone: z.number().int(),
})
export type GradeApproval = z.infer<typeof GradeApproval>

export const GradeApprovals = z.object({
  /** Unflagged, and the grader is sure of each criterion. 0 while `latest` is under way. */
  sure: z.number().int(),
  /** The caller's last, if within 24 hours; may be undone, or under way. */
  latest: GradeApproval.nullable(),
})
export type GradeApprovals = z.infer<typeof GradeApprovals>

export const getGradeApprovals = defineEndpoint('get', '/assignments/:assignmentId/grade-approvals', {
  summary: 'How many suggested grades are sure, and the caller’s latest approval',
  reply: GradeApprovals,
})

/** As a list or a paper showed it. */
const SeenGrade = z.object({ submission_id: BodyId, grade_id: BodyId, revision: z.number().int() })
export type SeenGrade = z.infer<typeof SeenGrade>

export const approveGrades = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals', {
  summary: 'Approve every suggested grade that is sure, or those of chosen papers, flagged or not',
  status: 202,
  body: z.union([
    /** As the caller was told: where more are sure by now, nothing is approved. */
    z.strictObject({ expected: z.number().int().min(1) }),
    /** Those graded again or changed since are left out. */
    z.strictObject({ grades: z.array(SeenGrade).min(1).max(10_000) }),
  ]),
  reply: GradeApproval,
})

export const undoGradeApproval = defineEndpoint('post', '/assignments/:assignmentId/grade-approvals/:approvalId/undo', {
  summary: 'Make the grades of an approval suggestions again, except those changed since',
  status: 202,
  reply: GradeApproval,
})
