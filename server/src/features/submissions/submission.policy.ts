import { allow, type Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { canManageAssignment, requireAssignment } from '../assignments/assignment.service.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { requireSubmission } from './submission.service.ts'

/** For those who manage the assignment, and for the paper's student while enrolled and the assignment is published. */
async function canReadPaper(actor: Actor, assignment: AssignmentDoc, submission: SubmissionDoc): Promise<Permission> {
  if (actor.role !== 'student') return canManageAssignment(actor, assignment)
  if (submission.student_id !== actor.id || assignment.status !== 'published') return 'hidden'
  const { course_id } = assignment
  return course_id !== null && (await isEnrolled(actor, course_id)) ? 'yes' : 'hidden'
}

/** Others than its student may see it only as the assignment's names allow. @throws {AppError} for anyone else */
export async function requirePaperFor(
  actor: Actor,
  ids: { assignmentId: number; submissionId: number },
): Promise<{ assignment: AssignmentDoc; submission: SubmissionDoc }> {
  const assignment = await requireAssignment(ids.assignmentId)
  const submission = await requireSubmission(ids)
  allow(await canReadPaper(actor, assignment, submission))
  return { assignment, submission }
}
