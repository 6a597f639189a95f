import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignmentOverview } from '../assignments/assignment-queries.ts'
import { presentRows } from './submission.present.ts'

/** Updates the row in lists of the assignment that are open in browsers. */
export async function notifySubmissionChanged(submission: SubmissionDoc, services: Services): Promise<void> {
  // As it is now: names may have been hidden since the change began.
  const assignment = await findAssignmentOverview(submission.assignment_id)
  if (!assignment) return
  const [payload] = await presentRows(assignment, [submission], services)
  if (payload) services.events.emit('submission_changed', { assignmentId: submission.assignment_id, payload })
}
