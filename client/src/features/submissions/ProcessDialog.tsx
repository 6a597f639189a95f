import type { WhatToGrade } from '@assay/shared/runs.ts'
import { useRef } from 'react'
import { ConfirmModal } from '../../components/ConfirmModal.tsx'
import { plural } from '../../lib/format.ts'
import { budgetIsGone, EstimateWords } from './EstimateWords.tsx'
import type { Process, ProcessQuestion } from './useProcess.ts'

/** Asks before grading where it costs something, or makes anew what is there. */
export function ProcessDialog({ process }: { process: Process }) {
  // What was asked last stays in the dialog while it closes.
  const last = useRef<ProcessQuestion | null>(null)
  if (process.question) last.current = process.question
  const asked = last.current
  if (!asked) return null
  const { which, estimate } = asked
  const papers = plural(estimate.papers, 'paper')
  return (
    <ConfirmModal
      opened={process.question !== null}
      close={process.dismiss}
      title={titleFor(which, papers)}
      confirmLabel={`Grade ${papers}`}
      disabled={budgetIsGone(estimate)}
      onConfirm={process.confirm}
    >
      <WhatHappens which={which} />
      {estimate.grader !== 'offline' && <EstimateWords estimate={estimate} />}
    </ConfirmModal>
  )
}

function titleFor({ unreviewed, force, outdated }: WhatToGrade, papers: string): string {
  if (unreviewed) return 'Grade the rest by your decisions?'
  return force || outdated ? `Grade ${papers} again?` : `Grade ${papers}?`
}

/** What becomes of the grades there are. */
function WhatHappens({ which: { unreviewed, force, outdated } }: { which: WhatToGrade }) {
  if (outdated)
    return (
      <p>
        Only the questions that the rubric judges otherwise by now are graded again. The rest of each grade
        and your overrides stay.
      </p>
    )
  if (unreviewed)
    return (
      <>
        <p>
          Papers you have not looked at are graded again. The points you gave and the suggestions you approved
          are the measure for them, question by question.
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
