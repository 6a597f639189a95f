import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignmentOverview } from '../assignments/assignment-queries.ts'
import { presentRows } from './submission.present.ts'
import { findSubmissions } from './submission-batches.ts'

export async function notifySubmissionChanged(submission: SubmissionDoc, services: Services): Promise<void> {
  // Names may have been hidden since the change began.
  const assignment = await findAssignmentOverview(submission.assignment_id)
  if (!assignment) return
  const [payload] = await presentRows(assignment, [submission], services)
  if (payload) services.events.emit('submission_changed', { assignmentId: submission.assignment_id, payload })
}

export async function notifySubmissionsChanged(assignmentId: number, ids: number[], services: Services): Promise<void> {
  const assignment = await findAssignmentOverview(assignmentId)
  if (!assignment || ids.length === 0) return
  for (const payload of await presentRows(assignment, await findSubmissions(ids), services))
    services.events.emit('submission_changed', { assignmentId, payload })
}

/** More has changed than is worth sending row by row. */
export function notifyListChanged(assignmentId: number, { events }: Pick<Services, 'events'>): void {
  events.emit('submissions_changed', { assignmentId, payload: { assignment_id: assignmentId } })
}
