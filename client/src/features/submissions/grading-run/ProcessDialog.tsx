import type { RunSelection } from '@assay/shared/runs.ts'
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { OpenProblemsNotice } from '../../rubrics/problems/OpenProblemsNotice.tsx'
import { isBudgetUsedUp, RunEstimateDetails } from './RunEstimateDetails.tsx'
import type { GradingConfirmation, GradingProcess } from './useGradingProcess.ts'

/** Asks for confirmation before grading that costs something, replaces grades or goes by a rubric with open problems. */
export function ProcessDialog({ process }: { process: GradingProcess }) {
  // What was asked last stays in the dialog while it closes.
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
            <Button
              component={Link}
              variant="default"
              to={`/assignments/${process.assignmentId}/rubric`}
              onClick={process.dismiss}
            >
              Check the Rubric
            </Button>
          }
        />
      )}
      <Consequences which={which} />
      {estimate.grader !== 'offline' && <RunEstimateDetails estimate={estimate} />}
    </ConfirmModal>
  )
}

function dialogTitle({ unreviewed, force, outdated }: RunSelection, papers: string): string {
  if (unreviewed) return 'Regrade the rest using your decisions?'
  return force || outdated ? `Grade ${papers} again?` : `Grade ${papers}?`
}

/** What becomes of the grades there are. */
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
          Papers you have not reviewed are regraded, using the points you gave and the suggestions you approved for each
          question.
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
