import type { RecentGrade } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { formatTimeAgo, plural } from '../../../lib/format.ts'
import classes from './RecentActivity.module.css'

const MAX_SHOWN = 5

/** The latest grades, newest first. */
export function RecentActivity({ grades }: { grades: RecentGrade[] }) {
  const more = grades.length - MAX_SHOWN
  return (
    <Panel
      title="Recent Activity"
      actions={
        <Button component={Link} to="/student/grades" variant="subtle" aria-label="View All grades">
          View All
        </Button>
      }
    >
      {grades.length === 0 ? (
        <p className={classes.none}>Your grades appear here once your instructor publishes them.</p>
      ) : (
        <ul className={classes.list}>
          {grades.slice(0, MAX_SHOWN).map((grade) => (
            <li key={grade.assignment_id} className={classes.grade}>
              <div className={classes.head}>
                <Link to={`/student/assignments/${grade.assignment_id}`} className={classes.name}>
                  {grade.assignment_title}
                </Link>
                <ScoreBadge score={grade.overall_score} />
              </div>
              <p className={classes.where}>
                {grade.course_name} · <time dateTime={grade.graded_at}>{formatTimeAgo(grade.graded_at)}</time>
              </p>
              {grade.grade_feedback && <p className={classes.feedback}>{grade.grade_feedback}</p>}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button component={Link} to="/student/grades" variant="subtle" className={classes.more}>
          View {plural(more, 'more grade')}
        </Button>
      )}
    </Panel>
  )
}
