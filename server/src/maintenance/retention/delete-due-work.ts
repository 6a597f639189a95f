import { AuditModel, recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { deleteClassScans } from '../../features/class-scans/class-scan.service.ts'
import { notifyListChanged } from '../../features/submissions/submission.events.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { LtiScoreModel } from '../../records/lti/score.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { deleteSubmissions } from '../deletion/delete-submissions.ts'
import { deleteWorkRecords } from '../deletion/delete-work-records.ts'
import { isStillDue, type NoticedAssignment, subjectOf } from './retention-notices.ts'

const BATCH = 100

/**
 * Deletes an assignment's student work whose notice has run out, and audits it. It may be interrupted at any write and called again: what
 * has begun is completed, and audited once.
 */
export async function deleteDueWork(assignmentId: number, services: Services, signal: AbortSignal): Promise<void> {
  const assignment = await beginDeletion(assignmentId, services)
  const begun = assignment?.retention_notice.deleting
  if (!assignment || !begun) return
  // What came meanwhile is new, and stays.
  const old = { assignment_id: assignmentId, updated_at: { $lt: begun.since } }
  for (;;) {
    signal.throwIfAborted()
    const batch = await SubmissionModel.find(old, { _id: 1 }).sort({ updated_at: 1, _id: 1 }).limit(BATCH).lean()
    if (batch.length === 0) break
    await deleteSubmissions(batch)
  }
  await deleteTraces(assignmentId, begun.since, services)
  await auditOnce(assignment, begun, services)
  await AssignmentModel.updateOne(
    { _id: assignmentId, 'retention_notice.deleting.since': begun.since },
    { $unset: { retention_notice: 1 } },
  )
  notifyListChanged(assignmentId, services)
}

/** Null where it is not to be deleted, or not yet. */
async function beginDeletion(assignmentId: number, services: Services): Promise<NoticedAssignment | null> {
  const now = services.clock.now()
  const found = await AssignmentModel.findById(assignmentId, { rubric: 0 }).lean<NoticedAssignment>()
  const notice = found?.retention_notice
  if (!found || !notice || notice.deleting) return notice ? found : null
  if (!notice.mailed || notice.delete_at > now || !(await isStillDue(found, services))) return null
  const papers = await SubmissionModel.countDocuments({ assignment_id: assignmentId })
  return AssignmentModel.findOneAndUpdate(
    {
      _id: assignmentId,
      // As it was when it was found due: nobody has changed it or begun a run since.
      updated_at: found.updated_at,
      active_run_id: found.active_run_id,
      'retention_notice.delete_at': notice.delete_at,
      'retention_notice.deleting': { $exists: false },
    },
    { $set: { 'retention_notice.deleting': { since: now, papers }, work_deleted_at: now } },
    { returnDocument: 'after', projection: { rubric: 0 } },
  ).lean<NoticedAssignment>()
}

/** What other records have of the papers. The rubric with its items stays, and so do runs, which are numbers. */
async function deleteTraces(assignmentId: number, before: Date, services: Services): Promise<void> {
  const scans = await ClassScanModel.find(
    { assignment_id: assignmentId, created_at: { $lt: before } },
    { _id: 1 },
  ).lean()
  await deleteClassScans(
    scans.map(({ _id }) => _id),
    services,
  )
  await deleteWorkRecords(assignmentId)
  // Our record of what was sent, comments included. Without it nothing more is sent, so the LMS keeps what it has.
  await LtiScoreModel.deleteMany({ assignment_id: assignmentId })
}

async function auditOnce(
  assignment: NoticedAssignment,
  { since, papers }: { since: Date; papers: number },
  { clock }: Services,
): Promise<void> {
  const action = 'assignment.work_deleted'
  const subject = subjectOf(assignment)
  const done = { action, at: { $gte: since }, 'subject.assignment_id': assignment._id }
  if (await AuditModel.exists(done)) return
  await recordAudit(SYSTEM_ACTOR, action, subject, clock.now(), {
    after: { papers, by: 'the retention rule', warned_at: assignment.retention_notice.warned_at },
  })
}
