import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPercent, pointsInWords } from '@assay/shared/rules/points.ts'
import { type PaperPenalty, waiveLatePenalty } from '@assay/shared/score-rules.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'
import classes from './PaperAdjustment.module.css'
import { ScoreSteps } from './ScoreSteps.tsx'

interface Props {
  submission: Pick<Submission, 'id' | 'assignment_id' | 'adjusted' | 'late_waived'>
  changed: (now: PaperPenalty) => void
}

export function PaperAdjustment({ submission, changed }: Props) {
  const { id, assignment_id, adjusted, late_waived = false } = submission
  const waive = useSend(waiveLatePenalty)
  const late = adjusted?.steps.some(({ kind }) => kind === 'late') ?? false
  if (!adjusted && !late_waived) return null

  async function setWaived(waived: boolean) {
    const now = await waive.attempt({ params: { assignmentId: assignment_id, submissionId: id }, body: { waived } })
    if (!now) return
    changed(now)
    toast.success(waived ? 'Late penalty waived for this paper.' : 'Late penalty applied again.')
  }

  return (
    <section className={classes.root} aria-label="Score that counts">
      <div className={classes.words}>
        {adjusted && (
          <>
            <p className={classes.score}>
              Counts as <strong>{formatPercent(adjusted.score)}</strong> {letterGrade(adjusted.score)},{' '}
              {pointsInWords(adjusted.points)}
            </p>
            <ScoreSteps adjusted={adjusted} />
          </>
        )}
        {late_waived && <p className={classes.waived}>Late penalty waived</p>}
      </div>
      {(late || late_waived) && (
        // One button for both, so that it keeps the focus.
        <Button
          variant="default"
          size="compact-sm"
          loading={waive.sending}
          onClick={() => void setWaived(!late_waived)}
        >
          {late_waived ? 'Apply penalty' : 'Waive penalty'}
        </Button>
      )}
      {waive.error && <Notice tone="bad">{messageOf(waive.error, 'The penalty could not be changed.')}</Notice>}
    </section>
  )
}
