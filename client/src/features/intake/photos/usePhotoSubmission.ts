import { getPhotoDraft } from '@assay/shared/photo-drafts.ts'
import { useEffect, useRef, useState } from 'react'
import { type ApiError, asApiError } from '../../../lib/api/api-error.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { PhotoDraftState } from './usePhotoDraft.ts'

/** The pages looked at: sent again with the same, they are stored once. */
export interface SeenDraft {
  draft_id: string
  revision: number
}

interface Outcome<T> {
  /** The call. @throws {ApiError} */
  send: (seen: SeenDraft) => Promise<T>
  sent: (result: T) => void
  failed?: () => void
}

export function usePhotoSubmission<T>(photos: PhotoDraftState, { send, sent, failed }: Outcome<T>) {
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const notice = useRef<HTMLDivElement>(null)
  // The button was disabled meanwhile, and lost the focus.
  useEffect(() => {
    if (error) notice.current?.focus()
  }, [error])

  async function submit(): Promise<void> {
    if (sending) return
    setSending(true)
    setError(null)
    try {
      const draft = await photos.settled()
      if (!draft?.id) return
      const seen = { draft_id: draft.id, revision: draft.revision }
      sent(await send(seen).catch((cause) => sendIfTaken(seen, cause)))
    } catch (cause) {
      setError(asApiError(cause))
      failed?.()
    } finally {
      setSending(false)
      void photos.reload()
    }
  }
  /** After a lost reply to a draft that is gone, only the server knows whether it was taken or deleted. */
  async function sendIfTaken(seen: SeenDraft, cause: unknown): Promise<T> {
    const { status } = asApiError(cause)
    if (status > 0 && status < 500) throw cause
    const params = { assignmentId: photos.assignmentId }
    const now = await callApi(getPhotoDraft, { params, retry: false }).catch(() => null)
    if (!now || now.body.id === seen.draft_id) throw cause
    return send(seen)
  }
  return { submit, sending, error, notice }
}
