import type { ModelCheck, ModelSums } from '@assay/shared/model.ts'
import type { Provider } from '@assay/shared/model-settings.ts'
import type { Status } from '../../components/StatusMark.tsx'
import { formatCount, plural } from '../../lib/format.ts'

export const providerNames: Record<Provider, string> = {
  offline: 'The offline grader',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'Another, by its address',
}

/** Small sums with as many places as it takes to see them. */
export function formatDollars(dollars: number): string {
  const places = dollars === 0 || dollars >= 1 ? 2 : dollars >= 0.01 ? 3 : 5
  return `$${dollars.toFixed(places)}`
}

/** What calls came to in one line; without a price only the tokens are known. */
export function sumsInWords(sums: ModelSums): string {
  const parts = [
    plural(sums.calls, 'question'),
    `${formatCount(sums.input_tokens + sums.output_tokens)} tokens`,
  ]
  if (sums.failures > 0) parts.push(`${formatCount(sums.failures)} without an answer`)
  return parts.join(' · ')
}

export function costInWords({ dollars, unpriced }: ModelSums): string {
  if (dollars === null) return 'cost unknown'
  return unpriced > 0 ? `${formatDollars(dollars)} and more` : formatDollars(dollars)
}

const monthForm = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** `2026-11` as `November 2026`. */
export const monthInWords = (month: string) => monthForm.format(new Date(`${month}-01T00:00:00Z`))

export const checkTitles: Record<ModelCheck['check'], string> = {
  answer: 'Answers',
  structured: 'Answers in the form that grading needs',
  pictures: 'Looks at pictures',
  speed: 'Speed',
  cost: 'Cost',
}

export const checkMarks: Record<ModelCheck['outcome'], { status: Status; word: string }> = {
  ok: { status: 'graded', word: 'Works' },
  warn: { status: 'flagged', word: 'Look here' },
  failed: { status: 'failed', word: 'Does not work' },
  skipped: { status: 'pending', word: 'Not tried' },
}

export const purposeWords: Record<string, string> = {
  grade: 'Grading',
  second_opinion: 'Second opinions',
  rubric: 'Making rubrics',
  transcribe: 'Reading handwriting',
  test: 'Testing the connection',
}
