import { performanceMessage } from '@assay/shared/rules/letters.ts'
import { plural } from '../../lib/format.ts'
import { BigScore } from '../grades/BigScore.tsx'
import classes from './AverageCard.module.css'
import { averageOf } from './grade-sort.ts'

/** The average of released grades, each counting the same. */
export function AverageCard({ scores, of }: { scores: readonly number[]; of?: string }) {
  const average = averageOf(scores)
  return (
    <section className={classes.root} aria-labelledby="average">
      <h2 id="average" className={classes.title}>
        Average{of && ` in ${of}`}
      </h2>
      <BigScore score={average} />
      <p className={classes.words}>
        {performanceMessage(average)}
        {scores.length > 0 && <span> · of {plural(scores.length, 'grade')}</span>}
      </p>
    </section>
  )
}
