import { answerDeepLink } from '@assay/shared/lti/lti-deep-linking.ts'
import { useState } from 'react'
import { type ApiError, ApiError as Failure } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { externalNavigation } from '../../../lib/session/external-navigation.ts'
import { safeRedirectPath } from '../../../lib/session/redirect-paths.ts'

export interface DeepLinkResponder {
  /** Goes back to the LMS with these assignments, or with none. */
  send: (ids: readonly number[]) => Promise<void>
  /** Until the browser has left. */
  sending: boolean
  error: ApiError | null
}

export function useDeepLinkResponse(): DeepLinkResponder {
  const answer = useSend(answerDeepLink)
  const [leaving, setLeaving] = useState(false)
  const [wrong, setWrong] = useState<ApiError | null>(null)

  async function send(ids: readonly number[]) {
    setWrong(null)
    try {
      const { page } = await answer.send({ body: { assignment_ids: [...ids] } })
      const own = safeRedirectPath(page)
      if (!own) return setWrong(Failure.of('unexpected_error'))
      setLeaving(true)
      externalNavigation.goTo(own)
    } catch {
      // Said by `answer.error`; what was chosen stays chosen.
    }
  }
  return { send, sending: answer.sending || leaving, error: answer.error ?? wrong }
}
