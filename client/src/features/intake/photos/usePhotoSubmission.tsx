import { getPhotoDraft } from '@assay/shared/photo-drafts.ts'
import { type ChangeEvent, type FormEvent, type Ref, useEffect, useRef, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { type ApiError, asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { PhotoDraftState } from './usePhotoDraft.ts'

interface Props {
  ref: Ref<HTMLDivElement>
  error: ApiError
  words: Record<'refused' | 'unclear', string>
}

function SubmissionFailure({ ref, error, words: { refused, unclear } }: Props) {
  if (isUncertain(error))
    return (
      <Notice ref={ref} tone="warn" title={unclear}>
        The connection was lost before an answer came. Your photos are safe. Please try again: the same photos are never
        taken twice.
      </Notice>
    )
  return (
    <Notice ref={ref} tone="bad" title={refused}>
      {messageOf(error, 'Your photos are still here. Please try again.')}
    </Notice>
  )
}

/** The pages looked at: sent again with the same, they are stored once. */
interface SeenDraft {
  draft_id: string
  revision: number
  is_handwritten: boolean
}

interface Outcome<T> {
  /** The call. @throws {ApiError} */
  send: (seen: SeenDraft) => Promise<T>
  sent: (result: T) => void
  failed?: () => void
  words: Props['words']
}

export function usePhotoSubmission<T>(photos: PhotoDraftState, { send, sent, failed, words }: Outcome<T>) {
  const [sending, setSending] = useState(false)
  const [isHandwritten, setHandwritten] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const notice = useRef<HTMLDivElement>(null)
  // The button was disabled meanwhile, and lost the focus.
  useEffect(() => {
    if (error) notice.current?.focus()
  }, [error])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setError(null)
    try {
      const draft = await photos.settled()
      if (!draft?.id) return
      const seen = { draft_id: draft.id, revision: draft.revision, is_handwritten: isHandwritten }
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
  return {
    submit,
    sending,
    isReady: photos.queue.length === 0 && photos.pages.length > 0 && photos.busyKeys.length === 0,
    failure: error && <SubmissionFailure ref={notice} error={error} words={words} />,
    /** Of its checkbox. */
    handwritten: {
      checked: isHandwritten,
      disabled: sending,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setHandwritten(event.currentTarget.checked),
    },
  }
}

/** No reply, or a proxy's: it may have been stored. The server's own failures have an id. */
const isUncertain = ({ status, reply }: ApiError) => status === 0 || (status >= 500 && reply.request_id === '')
