import type { CourseDetail } from '@assay/shared/courses.ts'
import { Link } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { formatDate, plural } from '../../lib/format.ts'
import classes from './Retention.module.css'

export function CourseRetentionNotice({ course }: { course: CourseDetail }) {
  const due = course.assignments.flatMap(({ id, title, work_deletion_at }) =>
    work_deletion_at ? [{ id, title, at: work_deletion_at }] : [],
  )
  const days = [...Map.groupBy(due, ({ at }) => formatDate(at))].sort(([, [a]], [, [b]]) =>
    (a?.at ?? '').localeCompare(b?.at ?? ''),
  )
  if (days.length === 0) return null
  return (
    <div className={classes.notice}>
      <Notice
        tone="warn"
        title={`Student work of ${plural(due.length, 'assignment')} will be deleted`}
        actions={
          <LinkButton size="xs" to={`/courses/${course.id}/edit`}>
            Change the rule
          </LinkButton>
        }
      >
        {days.map(([day, assignments]) => (
          <p key={day}>
            On {day}:{' '}
            {assignments.map(({ id, title }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <Link to={`/assignments/${id}/submissions`}>{title}</Link>
              </span>
            ))}
            .
          </p>
        ))}
        Papers, answers, grades and comments go; the assignments stay. Open an assignment to export its grades first.
      </Notice>
    </div>
  )
}
