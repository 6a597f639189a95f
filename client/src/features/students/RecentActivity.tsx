import type { RecentGrade } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ScoreBadge } from '../../components/ScoreBadge.tsx'
import { formatAge, plural } from '../../lib/format.ts'
import classes from './RecentActivity.module.css'

const FIRST = 5

/** The latest grades, newest first. */
export function RecentActivity({ grades }: { grades: RecentGrade[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? grades : grades.slice(0, FIRST)
  const more = grades.length - shown.length
  return (
    <section aria-labelledby="recent">
      <h2 id="recent" className={classes.title}>
        Recent Activity
      </h2>
      {grades.length === 0 ? (
        <p className={classes.none}>Your grades appear here once your instructor publishes them.</p>
      ) : (
        <ul className={classes.list}>
          {shown.map((grade) => (
            <li key={grade.assignment_id} className={classes.grade}>
              <div className={classes.head}>
                <Link to={`/student/courses/${grade.course_id}?show=graded`} className={classes.name}>
                  {grade.assignment_title}
                </Link>
                <ScoreBadge score={grade.overall_score} />
              </div>
              <p className={classes.where}>
                {grade.course_name} · <time dateTime={grade.graded_at}>{formatAge(grade.graded_at)}</time>
              </p>
              {grade.grade_feedback && <p className={classes.feedback}>{grade.grade_feedback}</p>}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button variant="subtle" className={classes.more} onClick={() => setAll(true)}>
          View {plural(more, 'more grade')}
        </Button>
      )}
    </section>
  )
}
