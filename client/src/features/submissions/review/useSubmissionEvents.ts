import type { ServerEvents } from '@assay/shared/realtime.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useEffect, useMemo } from 'react'
import { type QueryResult, useRevalidate } from '../../../lib/api/api-hooks.ts'
import { useAssignmentEvents } from '../../../lib/api/realtime.ts'

/** Polls a paper being graded when the live connection is down. */
const POLL_INTERVAL_MS = 4000

const inProgressStatuses = new Set<Submission['status']>(['queued', 'reading', 'grading'])

export const isInProgress = (submission: Pick<Submission, 'status'>) => inProgressStatuses.has(submission.status)

export function useSubmissionEvents(
  { assignmentId, submissionId }: { assignmentId: number; submissionId: number },
  { data, reload }: QueryResult<Submission>,
): void {
  const refresh = useRevalidate()
  const handlers = useMemo(
    (): Partial<ServerEvents> => ({
      submission_changed: (row) => {
        if (row.id !== submissionId) return
        void reload()
        void refresh(`/assignments/${assignmentId}/submissions/${submissionId}/transcription`)
      },
      submissions_changed: (event) => {
        if (event.assignment_id === assignmentId) void reload()
      },
      question_changed: (event) => {
        if (event.assignment_id === assignmentId) void reload()
      },
      lms_scores_changed: (event) => {
        if (event.assignment_id === assignmentId) void refresh(`/assignments/${assignmentId}/lms-scores`)
      },
    }),
    [assignmentId, submissionId, reload, refresh],
  )
  const state = useAssignmentEvents(assignmentId, handlers, reload)

  const waiting = data !== undefined && isInProgress(data) && state !== 'connected'
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => void reload(), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [waiting, reload])
}
