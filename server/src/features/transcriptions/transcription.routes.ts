import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import type { Rescoring } from '../rescoring/rescore-answers-job.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { presentTranscription } from './transcription.present.ts'
import { storeCorrection } from './transcription.service.ts'

export function transcriptionRoutes({ clock }: Services, rescoring: Rescoring): Router {
  const router = Router()

  handle(router, getTranscription, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    return presentTranscription(assignment, await requireSubmission(params))
  })

  handle(router, correctAnswer, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const submission = await requireSubmission(params)
    const { questionId } = params
    const kept = await storeCorrection(submission, { questionId, ...body }, actor, clock.now())
    await rescoring.begin(kept)
    const { answers } = await presentTranscription(assignment, submission)
    const answer = answers.find((one) => one.question_id === questionId)
    if (!answer) throw new Error('what was corrected is there')
    return answer
  })

  return router
}
