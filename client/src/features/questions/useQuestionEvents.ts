import type { ServerEvents } from '@assay/shared/realtime.ts'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAssignmentEvents } from '../../lib/api/realtime.ts'

/**
 * Calls `changed` when answers of an assignment were decided or grouped, or graded anew: once for all events within `waitMs`, and after
 * each connection, as something may have been missed. `questionId` leaves out those of other questions.
 */
export function useQuestionEvents(
  assignmentId: number,
  changed: () => unknown,
  { questionId, waitMs }: { questionId?: string; waitMs: number },
): void {
  const latest = useRef(changed)
  latest.current = changed
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const soon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, waitMs)
  }, [waitMs])
  const handlers = useMemo(
    (): Partial<ServerEvents> => ({
      question_changed(event) {
        if (event.assignment_id !== assignmentId) return
        if (questionId === undefined || event.question_id === questionId) soon()
      },
      run_changed: (run) => run.assignment_id === assignmentId && run.status === 'completed' && soon(),
    }),
    [assignmentId, questionId, soon],
  )
  useAssignmentEvents(assignmentId, handlers, soon)
}
