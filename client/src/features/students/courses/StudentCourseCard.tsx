import type { StudentCourse } from '@assay/shared/students.ts'
import type { ReactNode } from 'react'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { Card } from '../../../components/layout/Card.tsx'
import { formatDate, plural } from '../../../lib/format.ts'
import { CompletionBadge, CompletionBar, percentComplete } from './CompletionBar.tsx'
import classes from './StudentCourseCard.module.css'

export function StudentCourseCards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>
}

export function StudentCourseCard({ course }: { course: StudentCourse }) {
  const percent = percentComplete(course)
  const to = `/student/courses/${course.id}`
  return (
    <Card label={course.name}>
      <div className={classes.head}>
        <span className="hint">{course.course_code}</span>
        {percent !== null && <CompletionBadge percent={percent} />}
      </div>
      <h3 className={classes.name}>{course.name}</h3>
      {course.description && <p className={classes.description}>{course.description}</p>}
      <div className={classes.progress}>
        <p className={classes.counts}>
          {percent === null
            ? 'Nothing published yet'
            : `${plural(course.assignment_count, 'assignment')} · ${course.graded_assignment_count} graded`}
        </p>
        {percent !== null && <CompletionBar percent={percent} />}
      </div>
      <div className={classes.foot}>
        <span className={classes.enrolled}>Enrolled {formatDate(course.enrolled_at)}</span>
        {course.graded_assignment_count > 0 && (
          <LinkButton to={`${to}/grades`} variant="subtle" aria-label={`Grades in ${course.name}`}>
            Grades
          </LinkButton>
        )}
        <LinkButton to={to} aria-label={`View Course ${course.name}`}>
          View Course
        </LinkButton>
      </div>
    </Card>
  )
}
