import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { groupProblems, pointsAtStake } from '@assay/shared/rules/rubric-problems.ts'
import type { ReactNode } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { plural } from '../../lib/format.ts'
import classes from './OpenProblemsNotice.module.css'

const MOST_SHOWN = 5

export function OpenProblemsNotice({ problems, actions }: { problems: RubricProblem[]; actions?: ReactNode }) {
  const points = pointsAtStake(problems)
  const groups = groupProblems(problems)
  const more = groups.length - MOST_SHOWN
  return (
    <Notice tone="warn" title={`The rubric has ${plural(groups.length, 'open problem')}`} actions={actions}>
      {points > 0 && <p className={classes.cost}>{plural(points, 'point')} on each paper may be graded wrongly.</p>}
      <ul className={classes.list}>
        {groups.slice(0, MOST_SHOWN).map(({ id, message, points: own }) => (
          <li key={id}>
            <span>{message}</span>
            {own > 0 && <span className={classes.points}> ({plural(own, 'point')})</span>}
          </li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
    </Notice>
  )
}
