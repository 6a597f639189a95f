import type { Course } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Card } from '../../components/layout/Card.tsx'
import { formatDate, plural } from '../../lib/format.ts'
import classes from './CourseCard.module.css'

export function CourseCard({ course }: { course: Course }) {
  const to = `/courses/${course.id}`
  return (
    <Card label={course.name}>
      {course.course_code && <span className={classes.code}>{course.course_code}</span>}
      <h2 className={classes.name}>
        <Link to={to} title={course.name}>
          {course.name}
        </Link>
      </h2>
      <p className={classes.description} data-none={course.description ? undefined : true}>
        {course.description ?? 'No description provided.'}
      </p>
      <p className={classes.counts}>
        {plural(course.student_count, 'student')} · {plural(course.assignment_count, 'assignment')}
      </p>
      <div className={classes.foot}>
        <span className={classes.dates}>
          Created {formatDate(course.created_at)}
          <br />
          Updated {formatDate(course.updated_at)}
        </span>
        <Button component={Link} to={to} variant="default" aria-label={`View Details of ${course.name}`}>
          View Details
        </Button>
      </div>
    </Card>
  )
}
