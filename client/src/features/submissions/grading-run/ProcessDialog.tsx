import type { RunSelection } from '@assay/shared/runs.ts'
import { useRef } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { isBudgetUsedUp, RunEstimateDetails } from './RunEstimateDetails.tsx'
import type { GradingConfirmation, GradingProcess } from './useGradingProcess.ts'

/** Asks before grading where it costs something, or makes anew what is there. */
export function ProcessDialog({ process }: { process: GradingProcess }) {
  // What was asked last stays in the dialog while it closes.
  const last = useRef<GradingConfirmation | null>(null)
  if (process.question) last.current = process.question
  const asked = last.current
  if (!asked) return null
  const { which, estimate } = asked
  const papers = plural(estimate.papers, 'paper')
  return (
    <ConfirmModal
      opened={process.question !== null}
      close={process.dismiss}
      title={dialogTitle(which, papers)}
      confirmLabel={`Grade ${papers}`}
      disabled={isBudgetUsedUp(estimate)}
      onConfirm={process.confirm}
    >
      <Consequences which={which} />
      {estimate.grader !== 'offline' && <RunEstimateDetails estimate={estimate} />}
    </ConfirmModal>
  )
}

function dialogTitle({ unreviewed, force, outdated }: RunSelection, papers: string): string {
  if (unreviewed) return 'Grade the rest by your decisions?'
  return force || outdated ? `Grade ${papers} again?` : `Grade ${papers}?`
}

/** What becomes of the grades there are. */
function Consequences({ which: { unreviewed, force, outdated } }: { which: RunSelection }) {
  if (outdated)
    return (
      <p>
        Only the questions that the rubric judges otherwise by now are graded again. The rest of each grade and your
        overrides stay.
      </p>
    )
  if (unreviewed)
    return (
      <>
        <p>
          Papers you have not looked at are graded again. The points you gave and the suggestions you approved are the
          measure for them, question by question.
        </p>
        <p>Three decisions on a question are enough to help. What you have reviewed stays as it is.</p>
      </>
    )
  if (force)
    return (
      <>
        <p>The suggested scores and feedback are made anew and replace the ones there are.</p>
        <p>Your own overrides stay. Grades that change are held back from students until you release them.</p>
      </>
    )
}
