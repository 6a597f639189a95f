import type { StudentAssignment } from '@assay/shared/students.ts'
import { formatPoints } from '../grades/grade-words.ts'
import classes from './CriterionScores.module.css'
import { scoreWasSet } from './own-work.ts'

const FIRST = 4

/** Points by criterion: the first few, or all of them with what was said to each. */
export function CriterionScores({ assignment, full }: { assignment: StudentAssignment; full: boolean }) {
  const { criterion_grades: criteria } = assignment
  const more = criteria.length - FIRST
  return (
    <>
      {full && scoreWasSet(assignment) && (
        <p className={classes.note}>
          Your instructor set the overall score. The points below are the AI’s suggestion.
        </p>
      )}
      <ol className={classes.list}>
        {criteria.slice(0, full ? undefined : FIRST).map((criterion) => (
          <li key={criterion.id} className={classes.criterion}>
            <span className={classes.text}>{criterion.criterion_text}</span>
            <span className={classes.points}>
              <strong>{formatPoints(criterion.score)}</strong> / {formatPoints(criterion.max_score)}
            </span>
            {full && criterion.feedback && <p className={classes.feedback}>{criterion.feedback}</p>}
          </li>
        ))}
      </ol>
      {!full && more > 0 && (
        <p className={classes.note}>
          +{more} more {more === 1 ? 'criterion' : 'criteria'}
        </p>
      )}
    </>
  )
}
