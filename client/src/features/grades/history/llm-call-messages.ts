import type { GradeHistory, LlmCallEntry } from '@assay/shared/grade-history.ts'
import { formatCount, formatDollars } from '../../../lib/format.ts'

export function llmCostText({ input_tokens, output_tokens, dollars }: GradeHistory['cost']): string {
  const tokens = `${formatCount(input_tokens)} tokens in and ${formatCount(output_tokens)} out`
  return dollars === null
    ? `The model took ${tokens}; what they cost is not known, as nobody has said what a token costs.`
    : `The model took ${tokens}, for ${formatDollars(dollars)}.`
}

const purposeLabels: Record<string, string> = {
  grade: 'Asked for points',
  second_opinion: 'Asked for a second opinion',
  rubric: 'Asked for a rubric',
  transcribe: 'Asked to read a page',
  test: 'Asked for a test',
}

/** Why there was no answer, of a model. */
const errorExplanations: Record<string, string> = {
  unreachable: 'it could not be reached',
  timeout: 'it took too long',
  rate_limited: 'it took no more questions for a while',
  overloaded: 'its provider had trouble',
  waiting: 'it had failed several times just before',
  key_refused: 'its provider did not accept the key',
  unknown_model: 'its provider has no model of that name',
  cannot: 'it cannot do what was asked',
  bad_request: 'its provider did not understand the question',
  out_of_credit: 'the account with its provider had no credit left',
  budget: 'the budget was used up',
  bad_answer: 'its answer could not be used',
  refused: 'it refused to answer',
  cut_off: 'its answer broke off',
  too_long: 'the paper was too long for it',
}

const explainError = (trouble: string) => errorExplanations[trouble] ?? trouble.replaceAll('_', ' ')

function outcomeText({ outcome, trouble, run_stopped }: LlmCallEntry, took: string): string {
  if (outcome === 'asking') return 'no answer yet'
  if (outcome === 'answered') return `answered${took}`
  if (outcome === 'wrong') return `answered${took} in a form that could not be used, and asked again`
  if (trouble) return `no answer${took}, as ${explainError(trouble)}`
  return `broken off${took}${run_stopped ? ', as the run was stopped' : ''}`
}

/** `Asked for points: answered after 1.2 s, tried 3 times`. */
export function llmCallText(call: LlmCallEntry): string {
  const { purpose, outcome, ms, tries } = call
  // What was broken off by a crash has no time.
  const took = outcome === 'asking' || ms === 0 ? '' : ` after ${(ms / 1000).toFixed(1)} s`
  const again = tries > 1 ? `, tried ${tries} times` : ''
  return `${purposeLabels[purpose] ?? purpose}: ${outcomeText(call, took)}${again}`
}

/** What became of questions that went into no suggestion; they are of one run, or one alone. */
export function unusedCallsText(calls: readonly LlmCallEntry[]): string {
  const last = calls.at(-1)
  if (!last) return ''
  if (last.run_stopped) return 'The run was stopped before this paper was graded'
  if (last.outcome === 'asking') return 'A model is being asked'
  if (last.outcome === 'failed')
    return last.trouble
      ? `The model gave no answer: ${explainError(last.trouble)}`
      : 'The question to the model was broken off, and nothing came of it'
  return last.purpose === 'transcribe'
    ? 'A model read this paper'
    : 'A model was asked, but no grade was made of its answer'
}
