import { processAssignment } from '@assay/shared/runs.ts'
import { useCallback } from 'react'
import { useSend } from '../../lib/api.ts'
import { asApiError, messageOf } from '../../lib/api-error.ts'
import { toast } from '../../lib/toast.ts'

export interface Process {
  starting: boolean
  /** The papers without a grade; or those named; `force` grades again what has a grade. */
  start: (which?: { submission_ids?: number[]; force?: boolean }) => Promise<void>
}

export function useProcess(assignmentId: number, reload: () => Promise<unknown>): Process {
  const { send, sending } = useSend(processAssignment)
  const start = useCallback(
    async (which: { submission_ids?: number[]; force?: boolean } = {}) => {
      try {
        await send({ params: { assignmentId }, body: which })
        toast.good('Processing started successfully!')
        await reload()
      } catch (cause) {
        const error = asApiError(cause)
        // The assignment went while it was on screen.
        const gone = error.status === 404 ? 'Cannot process: Assignment ID is missing.' : null
        const words = gone ?? messageOf(error, 'Failed to start processing.')
        if (error.code === 'nothing_to_grade') toast.note(words)
        else toast.bad(words)
      }
    },
    [send, assignmentId, reload],
  )
  return { starting: sending, start }
}
