import type { Submission } from '@assay/shared/submissions.ts'
import { correctAnswer, type TranscribedAnswer } from '@assay/shared/transcriptions.ts'
import type { ApiError } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'

export interface AnswerCorrection {
  /** Says whether it was kept. Null takes the correction back. */
  save: (text: string | null) => Promise<boolean>
  sending: boolean
  error: ApiError | null
  clear: () => void
}

/** Corrects an answer. When somebody did so meanwhile, the current answer is loaded, and what was typed stays. */
export function useAnswerCorrection(
  { assignment_id, id }: Pick<Submission, 'assignment_id' | 'id'>,
  { question_id, revision }: Pick<TranscribedAnswer, 'question_id' | 'revision'>,
  changed: () => Promise<unknown>,
): AnswerCorrection {
  const { send, sending, error, clear } = useSend(correctAnswer)
  async function save(text: string | null): Promise<boolean> {
    const params = { assignmentId: assignment_id, submissionId: id, questionId: question_id }
    try {
      await send({ params, body: { text, revision } })
      await changed()
      return true
    } catch {
      // Shown beside the button.
      await changed()
      return false
    }
  }
  return { save, sending, error, clear }
}
