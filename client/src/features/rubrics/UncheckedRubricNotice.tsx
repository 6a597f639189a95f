import type { Assignment } from '@assay/shared/assignments.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { checkRubricPath } from './rubric-path.ts'
import classes from './UncheckedRubricNotice.module.css'

/** Shown until the first papers are graded, and before there are any. */
export function UncheckedRubricNotice({ assignment, counts }: { assignment: Assignment; counts: SubmissionCounts }) {
  if (assignment.rubric_checked || counts.graded + counts.flagged > 0) return null
  return (
    <div className={classes.root}>
      <Notice actions={<LinkButton to={checkRubricPath(assignment.id)}>Check the Rubric</LinkButton>}>
        Before you grade, check that the questions, points and expected answers were read right.
      </Notice>
    </div>
  )
}
