import { estimateRun, processAssignment, type RunEstimate, type RunSelection } from '@assay/shared/runs.ts'
import { useCallback, useState } from 'react'
import { asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'

export interface GradingConfirmation {
  which: RunSelection
  estimate: RunEstimate
}

export interface GradingProcess {
  assignmentId: number
  starting: boolean
  /** By default papers without a grade. Asks where it costs something. */
  start: (which?: RunSelection) => Promise<void>
  confirmation: GradingConfirmation | null
  /** @throws {ApiError} */
  confirm: () => Promise<void>
  dismiss: () => void
}

/** A named paper is no surprise; new grades are, whichever grader made them. */
function needsConfirmation(
  { submission_ids, force, unreviewed }: RunSelection,
  { grader, papers, problems }: RunEstimate,
): boolean {
  if (papers === 0) return false
  const named = submission_ids !== undefined && papers === 1
  if (problems.length > 0 && !named) return true
  if (grader === 'offline') return unreviewed === true || (force === true && submission_ids === undefined)
  return !named
}

export function useGradingProcess(assignmentId: number, reload: () => Promise<unknown>): GradingProcess {
  const estimate = useSend(estimateRun)
  const process = useSend(processAssignment)
  const [question, setQuestion] = useState<GradingConfirmation | null>(null)
  const { send: sendEstimate } = estimate
  const { send } = process
  const begin = useCallback(
    async (which: RunSelection) => {
      await send({ params: { assignmentId }, body: which })
      toast.success('Processing started successfully!')
      await reload()
    },
    [send, assignmentId, reload],
  )
  const start = useCallback(
    async (which: RunSelection = {}) => {
      try {
        const expected = await sendEstimate({ params: { assignmentId }, body: which })
        if (needsConfirmation(which, expected)) setQuestion({ which, estimate: expected })
        else await begin(which)
      } catch (cause) {
        const error = asApiError(cause)
        // The assignment was deleted while on screen.
        const gone = error.status === 404 ? 'Cannot process: Assignment ID is missing.' : null
        const words = gone ?? messageOf(error, 'Failed to start processing.')
        if (error.code === 'nothing_to_grade') toast.info(words)
        else toast.error(words)
      }
    },
    [sendEstimate, begin, assignmentId],
  )
  return {
    assignmentId,
    starting: estimate.sending || process.sending,
    start,
    confirmation: question,
    confirm: async () => {
      if (question) await begin(question.which)
    },
    dismiss: useCallback(() => setQuestion(null), []),
  }
}
