import type { ApiError } from '../lib/api-error.ts'
import { messageOf } from '../lib/api-error.ts'
import type { Refused } from '../lib/pdf-files.ts'
import { Notice } from './Notice.tsx'

interface Props {
  error: ApiError
  refused: Refused[]
  fallback: string
}

/** Why an upload was not taken: every refused file with its reason, or what else went wrong. */
export function RefusedNotice({ error, refused, fallback }: Props) {
  if (refused.length === 0) {
    return (
      <Notice tone="bad" title={fallback}>
        {messageOf(error, 'Nothing was saved, and nothing you entered is lost. Try again.')}
      </Notice>
    )
  }
  return (
    <Notice tone="bad" title={fallback}>
      Nothing was saved. Replace or remove these files, then try again.
      <ul>
        {refused.map(({ name, reason }) => (
          <li key={name + reason}>{reason.includes(name) ? reason : `${name}: ${reason}`}</li>
        ))}
      </ul>
    </Notice>
  )
}
