import { recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { deleteAccuracyChecks } from '../../features/accuracy-checks/accuracy-check.service.ts'
import { deleteAnalyticsCache } from '../../features/analytics/analytics-cache.ts'
import { deleteClassScansOf } from '../../features/class-scans/class-scan.service.ts'
import { deleteDraftsOf } from '../../features/photo-drafts/photo-draft.service.ts'
import { deleteQuestionChanges } from '../../features/questions/question-changes.ts'
import { deleteAmendments } from '../../features/rubric-amendments/amendment.service.ts'
import { deleteSimilarityReport } from '../../features/similarity/similarity.service.ts'
import { notifyListChanged } from '../../features/submissions/submission.events.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { deleteSubmissions } from '../deletion/delete-submissions.ts'
import type { Announced } from './due-work.ts'

const BATCH = 200

/**
 * Deletes the student work of an assignment from before this moment; the assignment stays. Goes on after a crash: the announcement is taken away last.
 * Scores that an LMS has stay there.
 */
export async function deleteWork(
  { _id, course_id, work_deletion }: Announced,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const begun_at = work_deletion.begun_at ?? services.clock.now()
  const begun = await AssignmentModel.updateOne(
    { _id, 'work_deletion.delete_at': work_deletion.delete_at, active_run_id: null },
    { $set: { 'work_deletion.begun_at': begun_at } },
  )
  if (begun.matchedCount === 0) return
  for (;;) {
    signal.throwIfAborted()
    const before = { assignment_id: _id, updated_at: { $lt: begun_at } }
    const batch = await SubmissionModel.find(before, { _id: 1 }).limit(BATCH).lean()
    if (batch.length === 0) break
    await deleteSubmissions(batch)
  }
  await deleteClassScansOf(_id, services)
  await deleteDraftsOf(_id)
  await deleteSimilarityReport(_id)
  await deleteAccuracyChecks(_id)
  await deleteQuestionChanges(_id)
  await deleteAmendments(_id)
  await deleteAnalyticsCache(_id)
  const now = services.clock.now()
  const done = await AssignmentModel.updateOne(
    { _id, work_deletion: { $ne: null } },
    { $set: { work_deletion: null, work_deleted_at: now } },
  )
  if (done.modifiedCount === 0) return
  const subject = { assignment_id: _id, ...(course_id === null ? {} : { course_id }) }
  await recordAudit(SYSTEM_ACTOR, 'assignment.work_deleted', subject, now, {
    before: { papers: work_deletion.papers },
  })
  notifyListChanged(_id, services)
}
