import { listSubmissionIds } from '@assay/shared/submissions.ts'
import { useNavigate } from 'react-router-dom'
import { messageOf } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { toast } from '../../lib/toast.ts'

/** The next after `current`, from the first again after the last. */
export function useGradeByHand(assignmentId: number): (current?: number) => Promise<void> {
  const navigate = useNavigate()
  return async (current = 0) => {
    try {
      const { body: ids } = await callApi(listSubmissionIds, { params: { assignmentId }, query: { status: 'by_hand' } })
      const next = ids.find((id) => id > current) ?? ids.find((id) => id !== current)
      if (next === undefined) toast.info('No other paper has answers to grade by hand.')
      else await navigate(`/assignments/${assignmentId}/submissions/${next}?status=by_hand`)
    } catch (error) {
      toast.error(messageOf(error, 'The papers to grade by hand could not be loaded. Please try again.'))
    }
  }
}
