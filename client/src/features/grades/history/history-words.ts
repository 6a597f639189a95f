import type { GradeHistory, ModelCallTold } from '@assay/shared/grade-history.ts'
import { formatCount, formatDollars } from '../../../lib/format.ts'

export function costInWords({ input_tokens, output_tokens, dollars }: GradeHistory['cost']): string {
  const tokens = `${formatCount(input_tokens)} tokens in and ${formatCount(output_tokens)} out`
  return dollars === null
    ? `The model took ${tokens}; what they cost is not known, as nobody has said what a token costs.`
    : `The model took ${tokens}, for ${formatDollars(dollars)}.`
}

const purposes: Record<string, string> = {
  grade: 'Asked for points',
  second_opinion: 'Asked for a second opinion',
  rubric: 'Asked for a rubric',
  transcribe: 'Asked to read a page',
  test: 'Asked for a test',
}

const outcomes: Record<ModelCallTold['outcome'], string> = {
  asking: 'no answer yet',
  answered: 'answered',
  wrong: 'answered wrongly, asked again',
  failed: 'failed',
}

/** `Asked for points: answered after 1.2 s, tried 3 times`. */
export function callInWords({ purpose, outcome, trouble, ms, tries }: ModelCallTold): string {
  const why = trouble ? ` (${trouble.replaceAll('_', ' ')})` : ''
  const took = outcome === 'asking' ? '' : ` after ${(ms / 1000).toFixed(1)} s`
  const again = tries > 1 ? `, tried ${tries} times` : ''
  return `${purposes[purpose] ?? purpose}: ${outcomes[outcome]}${why}${took}${again}`
}
