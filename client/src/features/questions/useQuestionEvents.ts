import type { ServerEvents } from '@assay/shared/realtime.ts'
import { useCallback, useMemo, useRef } from 'react'
import { useAssignmentEvents } from '../../lib/api/realtime.ts'

/** Calls `changed` after each connection too: events may have been missed. */
export function useQuestionEvents(
  assignmentId: number,
  questionId: string | undefined,
  changed: (changeId: number | null) => void,
): void {
  const latest = useRef(changed)
  latest.current = changed
  const handlers = useMemo(
    (): Partial<ServerEvents> => ({
      question_changed(event) {
        if (event.assignment_id !== assignmentId) return
        if (questionId === undefined || event.question_id === questionId) latest.current(event.change_id)
      },
      run_changed(run) {
        if (run.assignment_id === assignmentId && run.status === 'completed') latest.current(null)
      },
    }),
    [assignmentId, questionId],
  )
  const onReturn = useCallback(() => latest.current(null), [])
  useAssignmentEvents(assignmentId, handlers, onReturn)
}
