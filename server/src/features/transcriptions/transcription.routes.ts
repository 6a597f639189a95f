import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { TranscriptionDoc } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { findAnswers } from './answers.service.ts'
import { presentTranscription } from './transcription.present.ts'
import { storeCorrection } from './transcription.service.ts'

/** `rescore` is called with every correction once it is stored. */
export function transcriptionRoutes(
  services: Services,
  rescore: (correction: TranscriptionDoc) => Promise<void>,
): Router {
  const { clock } = services
  const router = Router()

  /** What a grader corrects was shown with names masked: what is stored keeps them. */
  async function withNamesRevealed(
    assignment: AssignmentDoc,
    submission: SubmissionDoc,
    questionId: string,
    text: string | null,
  ): Promise<string | null> {
    if (text === null) return null
    const mask = await services.names.maskFor(assignment, submission)
    const answers = await findAnswers(submission._id)
    const shown = answers?.extracted.answers.find(({ question_id }) => question_id === questionId)
    return mask.reveal(text, shown?.text ?? '')
  }

  handle(router, getTranscription, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentTranscription(assignment, await requireSubmission(params), services)
  })

  handle(router, correctAnswer, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { questionId } = params
    const correction = {
      questionId,
      ...body,
      text: await withNamesRevealed(assignment, submission, params.questionId, body.text),
    }
    const transcription = await storeCorrection(submission, correction, actor, clock.now())
    await rescore(transcription)
    const { answers } = await presentTranscription(assignment, submission, services)
    const answer = answers.find((one) => one.question_id === questionId)
    if (!answer) throw new Error('what was corrected is there')
    return answer
  })

  return router
}
