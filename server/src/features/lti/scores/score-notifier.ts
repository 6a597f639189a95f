import type { Services } from '../../../services.ts'

/** Dozens of scores a second become two events a second. */
const DEBOUNCE_MS = 500

/** Debounced event that an assignment's scores in the LMS have changed. */
export function createScoreNotifier({ events }: Pick<Services, 'events'>): (assignmentId: number) => void {
  const pending = new Set<number>()
  return (assignmentId) => {
    if (pending.has(assignmentId)) return
    pending.add(assignmentId)
    const emit = () => {
      pending.delete(assignmentId)
      events.emit('lms_scores_changed', { assignmentId, payload: { assignment_id: assignmentId } })
    }
    setTimeout(emit, DEBOUNCE_MS).unref()
  }
}
