import type { Ref } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { type ApiError, messageOf } from '../../../lib/api/api-error.ts'

interface Props {
  ref: Ref<HTMLDivElement>
  error: ApiError
  refused: string
  unclear: string
}

export function SubmissionFailure({ ref, error, refused, unclear }: Props) {
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

/** No reply, or a proxy's: it may have been stored. The server's own failures have an id. */
export const isUncertain = ({ status, reply }: ApiError) => status === 0 || (status >= 500 && reply.request_id === '')
