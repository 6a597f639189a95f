import { type GradeApprovals, getGradeApprovals } from '@assay/shared/grade-approvals.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'

const POLL_MS = 700

/**
 * Which grades are sure, and the latest approval of them; asked for often while one is under way, and not at all where nothing is suggested.
 * Every grade is looked at for it, so the list comes first: until `ready` it waits. `expected`: there will probably be something to say.
 */
export function useGradeApprovals(
  assignmentId: number,
  counts: Pick<SubmissionCounts, 'suggested' | 'reviewed'>,
  { ready }: { ready: boolean },
): QueryResult<GradeApprovals> & { expected: boolean } {
  const [polling, setPolling] = useState(false)
  const enabled = ready && counts.suggested + counts.reviewed > 0
  const approvals = useGet(getGradeApprovals, { assignmentId }, undefined, {
    enabled,
    refreshIntervalMs: polling ? POLL_MS : 0,
    // The list can do without.
    retry: false,
  })
  const state = approvals.data?.latest?.state
  const underWay = state === 'applying' || state === 'undoing'
  if (polling !== underWay) setPolling(underWay)
  const answered = approvals.data !== undefined || approvals.error !== undefined
  return { ...approvals, expected: !answered && counts.suggested > 0 }
}
