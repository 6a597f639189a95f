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
            <dt>It reads first</dt>
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
        <Notice tone="warn" title="Nothing is left of this month’s budget">
          No paper can be graded by this model until the budget is raised, or the next month begins (UTC). Whoever set
          the model up can raise it.
        </Notice>
      )}
      {!enough && !usedUp && (
        <Notice tone="warn" title="The budget will not do for all of them">
          Grading stops when it is used up. What is graded by then stays graded; the rest can be graded next month, or
          after the budget is raised.
        </Notice>
      )}
      {unread > 0 && (
        <p className={classes.small}>
          {unread === estimate.papers
            ? 'The papers have'
            : `${plural(unread, 'paper')} ${unread === 1 ? 'has' : 'have'}`}{' '}
          not been read yet, so this is a guess.
        </p>
      )}
      <p className={classes.small}>{dataSharingText(estimate)}</p>
    </div>
  )
}

function estimatedCostText({ dollars, input_tokens, output_tokens }: RunEstimate): string {
  const tokens = `${formatCount(roundToTwoDigits(input_tokens))} tokens in, ${formatCount(roundToTwoDigits(output_tokens))} out`
  if (dollars === null) return `about ${tokens}; nobody has said what a token costs`
  if (dollars === 0) return `nothing (about ${tokens})`
  return `about ${formatDollars(dollars)} (${tokens})`
}

/** Two digits are as much as a guess is worth. */
function roundToTwoDigits(count: number): number {
  return Number(count.toPrecision(2))
}

function dataSharingText({ leaves_server, pictures }: RunEstimate): string {
  if (!leaves_server)
    return 'The model’s address is on the server’s own machine. Unless it passes questions on, nothing of the papers leaves it.'
  const seen = pictures
    ? 'the questions, the key, the students’ answers and, of what is handwritten or scanned, pictures of the answers'
    : 'the questions, the key and the students’ answers'
  return `What the model’s provider gets: ${seen}. Names, e-mail addresses and student numbers are taken out of the text before it is sent.`
}
