import { estimateRun, processAssignment, type RunEstimate, type RunSelection } from '@assay/shared/runs.ts'
import { useCallback, useRef, useState } from 'react'
import { LinkButton } from '../../components/display/buttons.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatApproximateDuration, formatCount, formatDollars, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { rubricPath } from '../../paths.ts'
import { OpenProblemsNotice } from './OpenProblemsNotice.tsx'
import classes from './ProcessDialog.module.css'

/** Asks before grading that costs money, replaces grades or uses a rubric with open problems. */
export function ProcessDialog({ process }: { process: GradingProcess }) {
  // The words stay while it closes.
  const last = useRef<GradingConfirmation | null>(null)
  if (process.confirmation) last.current = process.confirmation
  const asked = last.current
  if (!asked) return null
  const { which, estimate } = asked
  const papers = plural(estimate.papers, 'paper')
  return (
    <ConfirmModal
      opened={process.confirmation !== null}
      close={process.dismiss}
      title={dialogTitle(which, papers)}
      confirmLabel={estimate.problems.length > 0 ? 'Grade Anyway' : `Grade ${papers}`}
      disabled={isBudgetUsedUp(estimate)}
      onConfirm={process.confirm}
    >
      {estimate.problems.length > 0 && (
        <OpenProblemsNotice
          problems={estimate.problems}
          actions={
            <LinkButton to={rubricPath(process.assignmentId)} onClick={process.dismiss}>
              Check the Rubric
            </LinkButton>
          }
        />
      )}
      <Consequences which={which} />
      {estimate.grader !== 'offline' && <RunEstimateDetails estimate={estimate} />}
    </ConfirmModal>
  )
}

function dialogTitle({ unreviewed, force, outdated }: RunSelection, papers: string): string {
  if (unreviewed) return 'Grade the rest again by your decisions?'
  return force || outdated ? `Grade ${papers} again?` : `Grade ${papers}?`
}

function Consequences({ which: { unreviewed, force, outdated } }: { which: RunSelection }) {
  if (outdated)
    return (
      <p>
        Only questions affected by rubric changes are regraded. The rest of each grade and the scores you gave are kept.
      </p>
    )
  if (unreviewed)
    return (
      <>
        <p>
          Papers you have not reviewed are graded again, following the points you gave and the suggestions you approved
          for each question.
        </p>
        <p>Three decisions per question are enough. Papers you have reviewed are not changed.</p>
      </>
    )
  if (force)
    return (
      <>
        <p>New suggested scores and feedback replace the existing ones.</p>
        <p>The scores you gave are kept. Changed grades stay hidden from students until you release them.</p>
      </>
    )
}

const isBudgetUsedUp = ({ left_of_budget, enough }: RunEstimate): boolean =>
  !enough && left_of_budget !== null && left_of_budget <= 0

function RunEstimateDetails({ estimate }: { estimate: RunEstimate }) {
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

const roundToTwoDigits = (count: number) => Number(count.toPrecision(2))

function dataSharingText({ leaves_server, pictures }: RunEstimate): string {
  if (!leaves_server)
    return 'The AI model runs on this server. Nothing leaves it unless the model’s program forwards it.'
  const seen = pictures
    ? 'the questions, the key, the students’ answers and, for handwritten or scanned papers, images of the answers'
    : 'the questions, the key and the students’ answers'
  return `Sent to the AI model’s provider: ${seen}. Names, email addresses and student numbers are removed from the text before it is sent.`
}

export interface GradingConfirmation {
  which: RunSelection
  estimate: RunEstimate
}

export type GradingProcess = ReturnType<typeof useGradingProcess>

/** A named paper is no surprise; new grades are, whichever grader made them. */
function needsConfirmation(
  { submission_ids, force, unreviewed }: RunSelection,
  { grader, papers, problems }: RunEstimate,
): boolean {
  if (papers === 0) return false
  const named = submission_ids !== undefined && papers === 1
  if (problems.length > 0 && !named) return true
  if (grader === 'offline') return unreviewed === true || (force === true && submission_ids === undefined)
  return !named
}

export function useGradingProcess(assignmentId: number, reload: () => Promise<unknown>) {
  const estimate = useSend(estimateRun)
  const process = useSend(processAssignment)
  const [question, setQuestion] = useState<GradingConfirmation | null>(null)
  const { send: sendEstimate } = estimate
  const { send } = process
  const begin = useCallback(
    async (which: RunSelection) => {
      await send({ params: { assignmentId }, body: which })
      toast.success('Processing started successfully!')
      await reload()
    },
    [send, assignmentId, reload],
  )
  const start = useCallback(
    async (which: RunSelection = {}) => {
      try {
        const expected = await sendEstimate({ params: { assignmentId }, body: which })
        if (needsConfirmation(which, expected)) setQuestion({ which, estimate: expected })
        else await begin(which)
      } catch (cause) {
        const error = asApiError(cause)
        // The assignment was deleted while on screen.
        const gone = error.status === 404 ? 'Cannot process: Assignment ID is missing.' : null
        const words = gone ?? messageOf(error, 'Failed to start processing.')
        if (error.code === 'nothing_to_grade') toast.info(words)
        else toast.error(words)
      }
    },
    [sendEstimate, begin, assignmentId],
  )
  return {
    assignmentId,
    starting: estimate.sending || process.sending,
    /** By default papers without a grade. Asks where it costs something. */
    start,
    confirmation: question,
    confirm: async () => {
      if (question) await begin(question.which)
    },
    dismiss: useCallback(() => setQuestion(null), []),
  }
}
