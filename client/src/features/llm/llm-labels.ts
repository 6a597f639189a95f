import type { LlmBudgetMonth, LlmCheck, LlmTestStep, LlmTotals } from '@assay/shared/llm/llm.ts'
import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import type { Status } from '../../components/display/StatusBadge.tsx'
import { formatCount, formatDollars, plural } from '../../lib/format.ts'

export const providerNames: Record<LlmProvider, string> = {
  offline: 'The built-in grader',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
}

export function usageText(sums: LlmTotals): string {
  const { calls, input_tokens, output_tokens, failures, unpriced, dollars, estimated } = sums
  const parts = [plural(calls, 'request'), `${formatCount(input_tokens + output_tokens)} tokens`]
  if (failures > 0) parts.push(`${formatCount(failures)} without an answer`)
  if (unpriced > 0 && dollars !== null) parts.push(`${formatCount(unpriced)} without a price`)
  // The provider may charge for an abandoned request.
  if (estimated > 0) parts.push(`${formatCount(estimated)} interrupted (counted at the maximum cost)`)
  return parts.join(' · ')
}

export function costText({ dollars, unpriced }: LlmTotals): string {
  if (dollars === null) return 'Not known'
  return unpriced > 0 ? `at least ${formatDollars(dollars)}` : formatDollars(dollars)
}

export function budgetNote({ budget, enforceable }: LlmBudgetMonth, { dollars, unpriced }: LlmTotals): string | null {
  if (!enforceable)
    return budget === null ? 'no price set' : `no price set, so the budget of ${formatDollars(budget)} is not enforced`
  if (dollars === null || unpriced > 0) return 'some requests were made before a price was set'
  if (budget === null) return null
  return budget === 0 ? 'the budget is $0: no requests are sent' : `of ${formatDollars(budget)}`
}

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const monthLabel = (month: string) => monthFormat.format(new Date(`${month}-01T00:00:00Z`))

export const checkTitles: Record<LlmCheck['check'], string> = {
  answer: 'Answers',
  structured: 'Answers in the required format',
  pictures: 'Reads images',
  speed: 'Speed',
  cost: 'Cost',
}

export const stepLabels: Record<LlmTestStep, string> = {
  answer: 'checking for an answer',
  structured: 'checking structured output',
  pictures: 'checking image input',
}

export const checkStatuses: Record<LlmCheck['outcome'], { status: Status; word: string }> = {
  ok: { status: 'graded', word: 'Works' },
  warn: { status: 'flagged', word: 'Needs attention' },
  failed: { status: 'failed', word: 'Does not work' },
  skipped: { status: 'pending', word: 'Not run' },
}

export const purposeLabels: Record<string, string> = {
  grade: 'Grading',
  second_opinion: 'Second opinions',
  rubric: 'Creating rubrics',
  transcribe: 'Reading handwriting',
  test: 'Testing the connection',
}
