import { useEffect, useRef } from 'react'
import type { ApiError } from '../../lib/api/api-error.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import type { RejectedFile } from '../../lib/files/rejected-files.ts'
import { Notice } from '../feedback/Notice.tsx'

interface Props {
  error: ApiError
  rejected: RejectedFile[]
  fallback: string
}

export function RejectedFilesNotice({ error, rejected, fallback }: Props) {
  const notice = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal; the button pressed was off meanwhile
  useEffect(() => notice.current?.focus(), [error])
  if (rejected.length === 0) {
    return (
      <Notice ref={notice} tone="bad" title={fallback}>
        {messageOf(error, 'Nothing was saved. Your entries are still here; please try again.')}
      </Notice>
    )
  }
  return (
    <Notice ref={notice} tone="bad" title={fallback}>
      Nothing was saved. Replace or remove these files, then try again.
      <ul>
        {rejected.map(({ file, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list is never re-ordered
          <li key={i}>
            {file.name}: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
