import { listSubmissionIds } from '@assay/shared/submissions.ts'
import { useNavigate } from 'react-router-dom'
import { callApi } from '../../lib/api/call-api.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'
import { submissionPath } from '../../paths.ts'

export function useGradeByHand(assignmentId: number): (current?: number) => Promise<unknown> {
  const navigate = useNavigate()
  return (current = 0) =>
    tryWithToast('The papers to grade by hand could not be loaded. Please try again.', async () => {
      const { body: papers } = await callApi(listSubmissionIds, {
        params: { assignmentId },
        query: { status: 'by_hand' },
      })
      const ids = papers.map(({ id }) => id)
      const next = ids.find((id) => id > current) ?? ids.find((id) => id !== current)
      if (next === undefined) toast.info('No other paper has answers to grade by hand.')
      else await navigate(`${submissionPath(assignmentId, next)}?status=by_hand`)
    })
}
