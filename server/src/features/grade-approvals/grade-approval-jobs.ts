import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import type { GradeApprovalDoc } from '../../records/grading/grade-approval.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { notifyReleased } from '../grades/release-notification.ts'
import { applyApproval, undoApproval } from './apply-approval.ts'
import { findApproval, findUnfinishedApprovals, finish } from './grade-approval.service.ts'

const Payload = z.object({ approvalId: z.number() })

function approvalJob(services: Services): Job<typeof Payload> {
  return defineJob({
    name: 'approve-grades',
    payload: Payload,
    attempts: 5,
    pool: 'io',
    async run({ approvalId }, signal) {
      const approval = await findApproval(approvalId)
      if (approval?.state === 'applying') {
        await applyApproval(approval, services, signal)
        const assignment = await findAssignment(approval.assignment_id)
        if (assignment) await notifyReleased(assignment, null, services)
        await finish(approval, 'applied')
      } else if (approval?.state === 'undoing') {
        await undoApproval(approval, services, signal)
        await finish(approval, 'undone')
      }
    },
    async onFailed({ approvalId }) {
      // What is done stays and is told; the rest stays suggested, and nobody has to wait for it.
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
