import { performanceMessage } from '@assay/shared/rules/letter-grades.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { plural } from '../../../lib/format.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import classes from './AverageGradeCard.module.css'
import { averageOf } from './grade-sort.ts'

/** Each grade counts the same. */
export function AverageGradeCard({ scores, of }: { scores: readonly Points[]; of?: string }) {
  const average = averageOf(scores)
  return (
    <section className={classes.root} aria-labelledby="average">
      <h2 id="average" className={classes.title}>
        Average{of && ` in ${of}`}
      </h2>
      <LargeScore score={average} />
      <p className={classes.words}>
        {performanceMessage(average)}
        {scores.length > 0 && <span> · of {plural(scores.length, 'grade')}</span>}
      </p>
    </section>
  )
}
