import type { Services } from '../../../services.ts'

/** While scores go out by the dozen a second, whoever looks on is told twice a second. */
const DEBOUNCE_MS = 500

/** Tells whoever looks at an assignment that its scores in the LMS are different now; several changes at once are told once. */
export function createScoreNotifier({ events }: Pick<Services, 'events'>): (assignmentId: number) => void {
  const gathering = new Set<number>()
  return (assignmentId) => {
    if (gathering.has(assignmentId)) return
    gathering.add(assignmentId)
    const tell = () => {
      gathering.delete(assignmentId)
      events.emit('lms_scores_changed', { assignmentId, payload: { assignment_id: assignmentId } })
    }
    setTimeout(tell, DEBOUNCE_MS).unref()
  }
}
