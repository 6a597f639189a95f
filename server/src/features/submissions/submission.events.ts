import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { presentRows } from './submission.present.ts'

/** Updates the row in lists of the assignment that are open in browsers. */
export async function notifySubmissionChanged(submission: SubmissionDoc, { events }: Services): Promise<void> {
  const [payload] = await presentRows([submission])
  if (payload) events.emit('submission_changed', { assignmentId: submission.assignment_id, payload })
}
