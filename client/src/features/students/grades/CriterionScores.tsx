import type { StudentAssignment } from '@assay/shared/students.ts'
import { MathText } from '../../../components/math/MathText.tsx'
import { formatPoints } from '../../../lib/format.ts'
import { isScoreOverridden } from '../work-status.ts'
import classes from './CriterionScores.module.css'

const MAX_SHOWN = 4

export function CriterionScores({ assignment }: { assignment: StudentAssignment }) {
  const { criterion_grades: criteria } = assignment
  const more = criteria.length - MAX_SHOWN
  return (
    <>
      {isScoreOverridden(assignment) && (
        <p className={classes.note}>Your instructor set the overall score. The points below are the AI’s suggestion.</p>
      )}
      <ol className={classes.list}>
        {criteria.slice(0, MAX_SHOWN).map((criterion) => (
          <li key={criterion.id} className={classes.criterion}>
            <span className={classes.text}>
              <MathText>{criterion.criterion_text}</MathText>
            </span>
            <span className={classes.points}>
              {criterion.score === null && assignment.unscored_points > 0 ? (
                'Not graded yet'
              ) : (
                <strong>{formatPoints(criterion.score)}</strong>
              )}{' '}
              / {formatPoints(criterion.max_score)}
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p className={classes.note}>
          +{more} more {more === 1 ? 'criterion' : 'criteria'}
        </p>
      )}
    </>
  )
}
