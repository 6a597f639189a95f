import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory, LlmCallEntry, SuggestionEntry } from '@assay/shared/grade-history.ts'
import { formatCount, formatDollars } from '../../../lib/format.ts'

export type HistoryEventData =
  | { kind: 'suggested'; key: string; at: string; suggestion: SuggestionEntry; again: boolean; calls: LlmCallEntry[] }
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
    ...[...inVain].map(([key, asked]) => ({ kind: 'asked' as const, key, at: asked[0]?.at ?? '', calls: asked })),
  ]
  return historyEvents.sort((a, b) => a.at.localeCompare(b.at))
}

export function llmCostText({ input_tokens, output_tokens, dollars }: GradeHistory['cost']): string {
  const tokens = `${formatCount(input_tokens)} tokens in and ${formatCount(output_tokens)} out`
  return dollars === null
    ? `The AI model used ${tokens}. The cost is unknown because no prices are set.`
    : `The AI model used ${tokens} (${formatDollars(dollars)}).`
}

const purposeLabels: Record<string, string> = {
  grade: 'Requested points',
  second_opinion: 'Requested a second opinion',
  rubric: 'Requested a rubric',
  transcribe: 'Requested a page transcription',
  test: 'Requested a test',
}

const errorExplanations: Record<string, string> = {
  unreachable: 'it could not be reached',
  timeout: 'it took too long',
  rate_limited: 'its rate limit was reached',
  overloaded: 'its provider was overloaded',
  waiting: 'it had failed several times in a row',
  key_refused: 'its provider did not accept the key',
  unknown_model: 'its provider has no model with that name',
  cannot: 'it does not support this request',
  bad_request: 'its provider rejected the request',
  out_of_credit: 'the account with its provider had no credit left',
  budget: 'the budget was used up',
  bad_answer: 'its answer could not be used',
  refused: 'it refused to answer',
  cut_off: 'its answer was cut off',
  too_long: 'the paper was too long for it',
}

const explainError = (error_code: string) => errorExplanations[error_code] ?? error_code.replaceAll('_', ' ')

function outcomeText({ outcome, error_code, run_stopped }: LlmCallEntry, took: string): string {
  if (outcome === 'asking') return 'no answer yet'
  if (outcome === 'answered') return `answered${took}`
  if (outcome === 'wrong') return `answered${took} in an unusable format; retried`
  if (error_code) return `no answer${took}: ${explainError(error_code)}`
  return `interrupted${took}${run_stopped ? ', because the run was stopped' : ''}`
}

/** `Requested points: answered after 1.2 s, tried 3 times` */
export function llmCallText(call: LlmCallEntry): string {
  const { purpose, outcome, ms, tries } = call
  // A request interrupted by a crash has no duration.
  const took = outcome === 'asking' || ms === 0 ? '' : ` after ${(ms / 1000).toFixed(1)} s`
  const again = tries > 1 ? `, tried ${tries} times` : ''
  return `${purposeLabels[purpose] ?? purpose}: ${outcomeText(call, took)}${again}`
}

export function unusedCallsText(calls: readonly LlmCallEntry[]): string {
  const last = calls.at(-1)
  if (!last) return ''
  if (last.run_stopped) return 'The run was stopped before this paper was graded'
  if (last.outcome === 'asking') return 'Waiting for the AI model'
  if (last.outcome === 'failed')
    return last.error_code
      ? `The AI model gave no answer: ${explainError(last.error_code)}`
      : 'The request to the AI model was interrupted'
  return last.purpose === 'transcribe'
    ? 'An AI model read this paper'
    : 'The AI model answered, but its answer was not used'
}
