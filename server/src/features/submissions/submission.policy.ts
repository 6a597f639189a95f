import type { Permission } from '../../lib/allow.ts'
import type { Actor } from '../../lib/handle.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import type { SubmissionDoc } from './submission.model.ts'

/** Look at a paper: whoever manages the assignment, and its own student while the assignment is published. */
export async function canReadPaper(
  actor: Actor,
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
): Promise<Permission> {
  if (actor.role !== 'student') return canManageAssignment(actor, assignment)
  return submission.student_id === actor.id && assignment.status === 'published' ? 'yes' : 'hidden'
}
