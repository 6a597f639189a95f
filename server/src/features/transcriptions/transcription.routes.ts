import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { TranscriptionDoc } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { presentTranscription } from './transcription.present.ts'
import { storeCorrection } from './transcription.service.ts'

/** `rescore` is called with every correction once it is stored. */
export function transcriptionRoutes(
  { clock }: Services,
  rescore: (correction: TranscriptionDoc) => Promise<void>,
): Router {
  const router = Router()

  handle(router, getTranscription, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentTranscription(assignment, await requireSubmission(params))
  })

  handle(router, correctAnswer, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { questionId } = params
    const transcription = await storeCorrection(submission, { questionId, ...body }, actor, clock.now())
    await rescore(transcription)
    const { answers } = await presentTranscription(assignment, submission)
    const answer = answers.find((one) => one.question_id === questionId)
    if (!answer) throw new Error('what was corrected is there')
    return answer
  })

  return router
}
