import type { StudentCourse } from '@assay/shared/students.ts'
import { CompletionBadge, CompletionBar, percentComplete } from './CompletionBar.tsx'
import classes from './CourseTotals.module.css'

export function CourseTotals({ course }: { course: StudentCourse }) {
  const { assignment_count: total, graded_assignment_count: graded } = course
  const percent = percentComplete(course)
  return (
    <section className={classes.root} aria-label="Progress">
      <dl className={classes.facts}>
        <Fact label="Total Assignments" value={total} />
        <Fact label="Graded" value={graded} />
        <Fact label="Pending" value={total - graded} />
      </dl>
      {percent !== null && (
        <div className={classes.progress}>
          <CompletionBadge percent={percent} />
          <CompletionBar percent={percent} />
        </div>
      )}
    </section>
  )
}

function Fact({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
