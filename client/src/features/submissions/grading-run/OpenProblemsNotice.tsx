import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { pointsAtStake } from '@assay/shared/rules/rubric-problems.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './OpenProblemsNotice.module.css'
import type { GradingProcess } from './useGradingProcess.ts'

/** More would be a list nobody reads. */
const MOST_SHOWN = 5

/** What of the rubric is still open, what it costs, and the way to put it right. */
export function OpenProblemsNotice({ problems, process }: { problems: RubricProblem[]; process: GradingProcess }) {
  const points = pointsAtStake(problems)
  const more = problems.length - MOST_SHOWN
  return (
    <Notice
      tone="warn"
      title={`The rubric has ${plural(problems.length, 'open problem')}`}
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
    >
      {points > 0 && <p className={classes.cost}>{plural(points, 'point')} on each paper may be graded wrongly.</p>}
      <ul className={classes.list}>
        {problems.slice(0, MOST_SHOWN).map(({ id, message }) => (
          <li key={id}>{message}</li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
    </Notice>
  )
}
