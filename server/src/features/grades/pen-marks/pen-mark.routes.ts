import { addPenMark, erasePenMark } from '@assay/shared/pen-marks.ts'
import type { Router } from 'express'
import { handle } from '../../../lib/http/handle.ts'
import { PenMarkModel } from '../../../records/submissions/pen-mark.model.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { requireSubmission } from '../../submissions/submission.service.ts'
import { storePenMark } from './pen-mark.service.ts'

export function penMarkRoutes(router: Router, services: Services): void {
  handle(router, addPenMark, async ({ params, body, actor }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mark = await storePenMark(submission, params.markId, body, actor, services.clock.now())
    await notifySubmissionChanged(submission, services)
    return mark
  })

  handle(router, erasePenMark, async ({ params, actor }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    await PenMarkModel.deleteOne({ _id: params.markId, submission_id: submission._id })
    await notifySubmissionChanged(submission, services)
    return { message: 'The mark was erased.' }
  })
}
