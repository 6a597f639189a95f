import type { Run } from '@assay/shared/runs.ts'
import { formatCount, formatDollars } from '../../../lib/format.ts'
import classes from './RunBar.module.css'

/** Which model grades, and what it has cost so far; nothing while the offline grader does, which costs nothing. */
export function RunCost({ run: { graders, cost } }: { run: Run }) {
  const names = graders.join(', then ')
  const models = graders.some((name) => name !== 'offline') ? [`by ${names}`] : []
  const words = [...models, ...(cost ? [costText(cost)] : [])]
  return words.length > 0 && <span className={classes.cost}>{words.join(' · ')}</span>
}

function costText({ dollars, input_tokens, output_tokens, estimated }: NonNullable<Run['cost']>): string {
  if (dollars === null) return `${formatCount(input_tokens + output_tokens)} tokens so far`
  // Abandoned requests are counted with the most that may be charged for them.
  return `${estimated > 0 ? 'at most ' : ''}${formatDollars(dollars)} so far`
}
