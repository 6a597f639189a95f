import { performanceMessage } from '@assay/shared/rules/points.ts'
import type { StudentCourse } from '@assay/shared/students.ts'
import { plural } from '../../../lib/format.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import classes from './AverageGradeCard.module.css'

interface Props {
  average: StudentCourse['average']
  of?: string
  leftOut?: number
}

export function AverageGradeCard({ average, of, leftOut = 0 }: Props) {
  const score = average?.score ?? null
  return (
    <section className={classes.root} aria-labelledby="average">
      <h2 id="average" className={classes.title}>
        Average{of && ` in ${of}`}
      </h2>
      <LargeScore score={score} />
      <p className={classes.words}>
        {performanceMessage(score)}
        {average && <span> · of {plural(average.grades, 'grade')}</span>}
        {leftOut > 0 && <span> · {plural(leftOut, 'grade does', 'grades do')} not count</span>}
      </p>
    </section>
  )
}
