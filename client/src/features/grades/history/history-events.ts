import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory, LlmCallEntry, SuggestionEntry } from '@assay/shared/grade-history.ts'

export type HistoryEventData =
  | {
      kind: 'suggested'
      key: string
      at: string
      suggestion: SuggestionEntry
      again: boolean
      calls: LlmCallEntry[]
    }
  | { kind: 'audit'; key: string; at: string; entry: AuditEntry }
  | { kind: 'asked'; key: string; at: string; calls: LlmCallEntry[] }

/** Oldest first. A call belongs to the suggestion it went into, or is an event by itself. */
export function historyEventsOf({ suggestions, events, calls }: GradeHistory): HistoryEventData[] {
  const inOrder = suggestions.toSorted((a, b) => a.at.localeCompare(b.at))
  // A rescored answer has its grade's run: the call was for the first suggestion after it.
  const bySuggestion = Map.groupBy(calls, (call) =>
    inOrder.find(({ run_id, at }) => run_id === call.run_id && at >= call.at),
  )
  const inVain = Map.groupBy(bySuggestion.get(undefined) ?? [], ({ id, run_id, run_stopped }) =>
    run_stopped ? `run ${run_id}` : `call ${id}`,
  )
  const historyEvents: HistoryEventData[] = [
    ...inOrder.map((suggestion, index) => ({
      kind: 'suggested' as const,
      key: `grade ${suggestion.grade_id}`,
      at: suggestion.at,
      suggestion,
      again: index > 0,
      calls: bySuggestion.get(suggestion) ?? [],
    })),
    ...events.map((entry) => ({ kind: 'audit' as const, key: `audit ${entry.id}`, at: entry.at, entry })),
    ...[...inVain].map(([key, asked]) => ({
      kind: 'asked' as const,
      key,
      at: asked[0]?.at ?? '',
      calls: asked,
    })),
  ]
  return historyEvents.sort((a, b) => a.at.localeCompare(b.at))
}
