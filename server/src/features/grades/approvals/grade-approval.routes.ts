import { approveGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import type { Router } from 'express'
import { handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import {
  findLatestApproval,
  findSureGrades,
  presentApproval,
  startApproval,
  startUndo,
} from './grade-approval.service.ts'
import { queueApprovals } from './grade-approval-jobs.ts'

export function gradeApprovalRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getGradeApprovals, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const latest = await findLatestApproval(assignment._id, actor.id, clock.now())
    // Polled while an approval runs, and counting takes longer than a batch of approvals.
    const sure = latest?.under_way ? [] : await findSureGrades(assignment._id)
    return { sure: sure.length, latest: latest && presentApproval(latest) }
  })

  handle(router, approveGrades, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const approval = await startApproval(assignment, body, actor, clock.now())
    await queueApprovals([approval], services)
    return presentApproval(approval)
  })

  handle(router, undoGradeApproval, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const approval = await startUndo({ ...params, assignmentId: assignment._id }, actor, clock.now())
    if (approval.state === 'undoing') await queueApprovals([approval], services)
    return presentApproval(approval)
  })
}
