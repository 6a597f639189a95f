import { answerDeepLink } from '@assay/shared/lti-deep-linking.ts'
import { useState } from 'react'
import { useSend } from '../../../lib/api.ts'
import { type ApiError, ApiError as Failure } from '../../../lib/api-error.ts'
import { leave } from '../../../lib/leave.ts'
import { ownPath } from '../../../lib/paths.ts'

export interface Answering {
  /** Goes back to the LMS with these assignments, or with none. */
  send: (ids: readonly number[]) => Promise<void>
  /** Until the browser has left. */
  sending: boolean
  error: ApiError | null
}

export function useAnswer(): Answering {
  const answer = useSend(answerDeepLink)
  const [leaving, setLeaving] = useState(false)
  const [wrong, setWrong] = useState<ApiError | null>(null)

  async function send(ids: readonly number[]) {
    setWrong(null)
    try {
      const { page } = await answer.send({ body: { assignment_ids: [...ids] } })
      const own = ownPath(page)
      if (!own) return setWrong(Failure.of('unexpected_error'))
      setLeaving(true)
      leave.to(own)
    } catch {
      // Said by `answer.error`; what was chosen stays chosen.
    }
  }
  return { send, sending: answer.sending || leaving, error: answer.error ?? wrong }
}
