import { type GradeApprovals, getGradeApprovals } from '@assay/shared/grade-approvals.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'

const POLL_MS = 700

/** Which grades are sure, and the latest approval of them; asked for often while one is under way, and not at all where nothing is suggested. */
export function useGradeApprovals(
  assignmentId: number,
  counts: Pick<SubmissionCounts, 'suggested' | 'reviewed'> | undefined,
): QueryResult<GradeApprovals> & { settled: boolean } {
  const [polling, setPolling] = useState(false)
  const enabled = counts !== undefined && counts.suggested + counts.reviewed > 0
  const approvals = useGet(getGradeApprovals, { assignmentId }, undefined, {
    enabled,
    refreshIntervalMs: polling ? POLL_MS : 0,
    // The list waits for the first answer, and can do without.
    retry: false,
  })
  const state = approvals.data?.latest?.state
  const underWay = state === 'applying' || state === 'undoing'
  if (polling !== underWay) setPolling(underWay)
  const answered = approvals.data !== undefined || approvals.error !== undefined
  return { ...approvals, settled: counts !== undefined && (!enabled || answered) }
}
