import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { correctAnswer, type TranscribedAnswer } from '@assay/shared/transcriptions.ts'
import type { ApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'

export interface AnswerCorrection {
  /** Null for a text takes the correction back. Throws what it failed for, which is in `error`, too. */
  save: (body: BodyOf<typeof correctAnswer>) => Promise<void>
  sending: boolean
  error: ApiError | null
  clear: () => void
}

/** Corrects an answer. When somebody did so meanwhile, the current answer is loaded, and what was typed stays. */
export function useAnswerCorrection(
  { assignment_id, id }: Pick<Submission, 'assignment_id' | 'id'>,
  { question_id }: Pick<TranscribedAnswer, 'question_id'>,
  changed: () => Promise<unknown>,
): AnswerCorrection {
  const { send, sending, error, clear } = useSend(correctAnswer)
  async function save(body: BodyOf<typeof correctAnswer>) {
    try {
      await send({ params: { assignmentId: assignment_id, submissionId: id, questionId: question_id }, body })
    } finally {
      await changed()
    }
  }
  return { save, sending, error, clear }
}
