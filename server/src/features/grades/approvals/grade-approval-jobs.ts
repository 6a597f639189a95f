import { z } from 'zod'
import { auditedSubmissions, recordAuditEntries } from '../../../audit/audit.service.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type BackgroundWork, defineJob, type Job } from '../../../lib/jobs/job.ts'
import type { ApprovedGrade, GradeApprovalDoc } from '../../../records/grading/grade-approval.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { isPublished } from '../../assignments/assignment-queries.ts'
import { notifySubmissionsChanged } from '../../submissions/submission.events.ts'
import { findGradedSubmissions, storeGradeDecisions } from '../../submissions/submission-grades.ts'
import { deleteReleases, releaseGrades } from '../release.service.ts'
import { notifyReleased } from '../release-notification.ts'
import { findApproval, findUnfinishedApprovals, finish, storeProgress } from './grade-approval.service.ts'

const Payload = z.object({ approvalId: z.number() })

function approvalJob(services: Services): Job<typeof Payload> {
  return defineJob({
    name: 'approve-grades',
    payload: Payload,
    attempts: 5,
    async run({ approvalId }, signal) {
      const approval = await findApproval(approvalId)
      if (approval?.state === 'applying') {
        await applyApproval(approval, services, signal)
        const assignment = await findAssignment(approval.assignment_id)
        if (assignment) await notifyReleased(assignment, null, services, { debounced: true })
        await finish(approval, 'applied')
      } else if (approval?.state === 'undoing') {
        await undoApproval(approval, services, signal)
        await finish(approval, 'undone')
      }
    },
    async onFailed({ approvalId }) {
      // What is done stays; the rest stays suggested.
      const approval = await findApproval(approvalId)
      if (approval) await finish(approval, approval.state === 'undoing' ? 'undone' : 'applied')
    },
  })
}

type Queued = Pick<GradeApprovalDoc, '_id' | 'assignment_id' | 'state'>

export async function queueApprovals(approvals: Queued[], services: Services): Promise<void> {
  await services.jobs.trigger(
    approvalJob(services),
    approvals.map(({ _id, assignment_id, state }) => ({
      key: `${_id}/${state}`,
      group: `assignment:${assignment_id}`,
      payload: { approvalId: _id },
    })),
  )
}

export const gradeApprovalWork = (services: Services): BackgroundWork => ({
  jobs: [approvalJob(services)],
  resume: async () => queueApprovals(await findUnfinishedApprovals(), services),
})

const BATCH = 250

interface Step {
  action: 'grade.approved' | 'grade.approval_undone'
  write: string
  revisionOf: (approved: ApprovedGrade) => number
  fits: (submission: SubmissionDoc, grade: GradeOfSubmission, approved: ApprovedGrade) => boolean
  change: (grade: GradeOfSubmission, approved: ApprovedGrade) => GradeOfSubmission
  release: (changed: Changed[]) => Promise<void>
  at: Date
  sessionId: string
}

interface Changed {
  submission: SubmissionDoc
  grade: GradeOfSubmission
  approved: ApprovedGrade
}

/** Skips grades changed since. May run twice. */
async function applyApproval(approval: GradeApprovalDoc, services: Services, signal: AbortSignal) {
  const { assignment_id, actor_id, at, session_id } = approval
  const step: Step = {
    action: 'grade.approved',
    write: approvalWrite(approval),
    revisionOf: ({ revision }) => revision,
    fits: ({ status }, { reviewed_at, needs_review }, { flagged }) =>
      status === 'graded' && (flagged !== undefined || (reviewed_at === null && !needs_review)),
    change: (grade) => ({
      ...grade,
      revision: grade.revision + 1,
      needs_review: false,
      reviewed_at: at,
      reviewed_by: actor_id,
      released: false,
    }),
    release: async (changed) => {
      // Read again: publishing releases what was stored before, everything after is released here.
      if (await isPublished(assignment_id)) await releaseGrades(changed.map(withGrade), services.clock.now())
    },
    at,
    sessionId: session_id,
  }
  await forEachBatch(approval, step, services, signal, (done, approved) => ({ done, approved }))
}

/** Except grades changed since. What only the approval had released is withdrawn. */
async function undoApproval(approval: GradeApprovalDoc, services: Services, signal: AbortSignal) {
  const { assignment_id, undo, session_id, at } = approval
  const write = approvalWrite(approval)
  const step: Step = {
    action: 'grade.approval_undone',
    write: `${write}/undo`,
    revisionOf: ({ revision }) => revision + 1,
    fits: (_, { written_by }) => written_by === write,
    change: (grade, { reviewed_by, flagged }) => ({
      ...grade,
      revision: grade.revision + 1,
      needs_review: flagged !== undefined,
      reviewed_at: flagged?.reviewed_at ?? null,
      reviewed_by,
      released: false,
    }),
    release: async (changed) => {
      await deleteReleases(changed.flatMap(({ submission, approved }) => (approved.withheld ? [submission._id] : [])))
      if (!(await isPublished(assignment_id))) return
      const shown = changed.filter(({ approved }) => !approved.withheld)
      await releaseGrades(shown.map(withGrade), services.clock.now())
    },
    at: undo?.at ?? at,
    sessionId: undo?.session_id ?? session_id,
  }
  await forEachBatch(approval, step, services, signal, (done, undone) => ({ done, undone }))
}

const approvalWrite = ({ _id }: GradeApprovalDoc) => `approval/${_id}`
const withGrade = ({ submission, grade }: Changed): SubmissionDoc => ({ ...submission, grade })

async function forEachBatch(
  approval: GradeApprovalDoc,
  step: Step,
  services: Services,
  signal: AbortSignal,
  progress: (done: number, changed: number) => Parameters<typeof storeProgress>[1],
): Promise<void> {
  const { grades, assignment_id } = approval
  let changed = 0
  for (let i = 0; i < grades.length; i += BATCH) {
    signal.throwIfAborted()
    const batch = await changeBatch(approval, grades.slice(i, i + BATCH), step)
    await step.release(batch)
    changed += batch.length
    await storeProgress(approval, progress(Math.min(i + BATCH, grades.length), changed))
    const ids = batch.map(({ submission }) => submission._id)
    await notifySubmissionsChanged(assignment_id, ids, services)
  }
  if (await isPublished(assignment_id)) await markScoresChanged(assignment_id)
}

async function changeBatch(approval: GradeApprovalDoc, batch: ApprovedGrade[], step: Step): Promise<Changed[]> {
  const byId = new Map(batch.map((one) => [one.submission_id, one]))
  const submissions = await findGradedSubmissions(approval.assignment_id, [...byId.keys()])
  const before: Changed[] = []
  const open: Changed[] = []
  for (const submission of submissions) {
    const { grade } = submission
    const approved = byId.get(submission._id)
    if (!grade || !approved || grade.id !== approved.grade_id) continue
    const revision = step.revisionOf(approved)
    if (grade.revision === revision + 1 && grade.written_by === step.write) before.push({ submission, grade, approved })
    else if (grade.revision === revision && step.fits(submission, grade, approved))
      open.push({ submission, grade: { ...step.change(grade, approved), written_by: step.write }, approved })
  }
  const stored = await storeGradeDecisions(
    open.map(({ submission, grade, approved }) => ({
      _id: submission._id,
      revision: step.revisionOf(approved),
      grade,
    })),
    step.write,
  )
  const changed = [...before, ...open.filter(({ submission }) => stored.has(submission._id))]
  const ids = changed.map(({ submission }) => submission._id)
  // A process may have died between the grades and the audit log.
  const known = await auditedSubmissions(step.action, { changeId: approval._id, submissionIds: ids })
  await recordAuditEntries(
    { id: approval.actor_id, role: approval.actor_role as Actor['role'], sessionId: step.sessionId },
    step.action,
    changed
      .filter(({ submission }) => !known.has(submission._id))
      .map(({ submission, grade, approved }) => ({
        subject: {
          assignment_id: approval.assignment_id,
          submission_id: submission._id,
          grade_id: grade.id,
          change_id: approval._id,
        },
        ...(approval.chosen &&
          approval.state === 'applying' && { before: { needs_review: approved.flagged !== undefined } }),
        after: { overall_score: grade.overall_score, manual_score_override: grade.manual_score_override },
      })),
    step.at,
  )
  return changed
}
