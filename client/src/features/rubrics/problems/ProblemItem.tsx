import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { Button } from '@mantine/core'
import { plural } from '../../../lib/format.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { ProblemFixes } from './ProblemFixes.tsx'
import classes from './ProblemsPanel.module.css'

interface Props {
  problem: RubricProblem
  draft: RubricDraft
  openQuestion: (questionId: string, focus?: string) => void
  dismiss: () => void
}

/** A problem, what depends on it, and the ways out. */
export function ProblemItem({ problem, draft, openQuestion, dismiss }: Props) {
  const { message, points } = problem
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <span className={classes.message}>{message}</span>
        {points > 0 && <span className={classes.cost}>{plural(points, 'point')}</span>}
      </div>
      <div className={classes.fixes}>
        <ProblemFixes problem={problem} draft={draft} openQuestion={openQuestion} />
        <Button variant="subtle" size="compact-sm" color="gray" aria-label={`It’s fine: ${message}`} onClick={dismiss}>
          It’s fine
        </Button>
      </div>
    </li>
  )
}
