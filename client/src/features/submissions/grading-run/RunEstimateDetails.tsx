import type { RunEstimate } from '@assay/shared/runs.ts'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { formatApproximateDuration, formatCount, formatDollars, plural } from '../../../lib/format.ts'
import classes from './RunEstimateDetails.module.css'

/** Not one question could be asked. */
export const isBudgetUsedUp = ({ left_of_budget, enough }: RunEstimate): boolean =>
  !enough && left_of_budget !== null && left_of_budget <= 0

/** What grading with a model would come to, and what of the papers it gets to see. */
export function RunEstimateDetails({ estimate }: { estimate: RunEstimate }) {
  const { grader, unread, seconds, left_of_budget, enough, pages_to_read } = estimate
  const usedUp = left_of_budget !== null && left_of_budget <= 0
  return (
    <div className={classes.root}>
      <dl className={classes.list}>
        <dt>Graded by</dt>
        <dd className={classes.grader}>{grader}</dd>
        {pages_to_read > 0 && (
          <>
            <dt>Pages to read first</dt>
            <dd>about {plural(pages_to_read, 'handwritten page')}</dd>
          </>
        )}
        <dt>Cost</dt>
        <dd>{estimatedCostText(estimate)}</dd>
        <dt>Time</dt>
        <dd>{formatApproximateDuration(seconds)}</dd>
        {left_of_budget !== null && (
          <>
            <dt>Left this month</dt>
            <dd>{usedUp ? 'nothing' : `${formatDollars(left_of_budget)} of the budget`}</dd>
          </>
        )}
      </dl>
      {isBudgetUsedUp(estimate) && (
        <Notice tone="warn" title="This month’s budget is used up">
          This model cannot grade until the budget is raised or the next month starts (UTC). The person who set up the
          model can raise it.
        </Notice>
      )}
      {!enough && !usedUp && (
        <Notice tone="warn" title="The budget may not cover all papers">
          Grading stops when it is used up. Grades so far are kept; grade the rest next month or after raising the
          budget.
        </Notice>
      )}
      {unread > 0 && (
        <p className={classes.small}>
          {unread === estimate.papers
            ? 'The papers have'
            : `${plural(unread, 'paper')} ${unread === 1 ? 'has' : 'have'}`}{' '}
          not been read yet, so this is an estimate.
        </p>
      )}
      <p className={classes.small}>{dataSharingText(estimate)}</p>
    </div>
  )
}

function estimatedCostText({ dollars, input_tokens, output_tokens }: RunEstimate): string {
  const tokens = `${formatCount(roundToTwoDigits(input_tokens))} tokens in, ${formatCount(roundToTwoDigits(output_tokens))} out`
  if (dollars === null) return `about ${tokens} (no prices set)`
  if (dollars === 0) return `nothing (about ${tokens})`
  return `about ${formatDollars(dollars)} (${tokens})`
}

/** Two digits are as much as a guess is worth. */
function roundToTwoDigits(count: number): number {
  return Number(count.toPrecision(2))
}

function dataSharingText({ leaves_server, pictures }: RunEstimate): string {
  if (!leaves_server)
    return 'The AI model runs on this server. Nothing leaves it unless the model’s program forwards it.'
  const seen = pictures
    ? 'the questions, the key, the students’ answers and, for handwritten or scanned papers, images of the answers'
    : 'the questions, the key and the students’ answers'
  return `Sent to the AI model’s provider: ${seen}. Names, email addresses and student numbers are removed from the text before it is sent.`
}
