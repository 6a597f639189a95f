import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LostPageDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { type Loaded, useGet } from '../../lib/api.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { useIds } from '../../lib/useIds.ts'
import { CourseAssignments } from './CourseAssignments.tsx'
import classes from './CoursePage.module.css'
import { CourseStudents } from './CourseStudents.tsx'

export function CoursePage() {
  const { courseId } = useIds('courseId')
  const course = useGet(getCourse, { courseId })
  if (course.data) return <Opened course={course.data} loaded={course} />
  if (course.error?.status === 404) return <NotFound />
  if (course.error) {
    return (
      <Page>
        <LoadFailed error={course.error} retry={course.reload} title="Error Loading Course">
          <Button component={Link} to="/courses" variant="default">
            Back to Courses
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return <PageSkeleton label="Loading course" />
}

function Opened({ course, loaded }: { course: CourseDetail; loaded: Loaded<CourseDetail> }) {
  return (
    <Page>
      <PageHeader
        title={course.name}
        crumbs={[{ label: 'My Courses', to: '/courses' }, { label: course.name }]}
        beside={course.course_code && <span className={classes.code}>{course.course_code}</span>}
        subtitle={course.description}
        actions={
          <Button component={Link} to={`/courses/${course.id}/analytics`} variant="default">
            Analytics
          </Button>
        }
      />
      <dl className={classes.facts}>
        <div>
          <dt>Students</dt>
          <dd>{course.student_count}</dd>
        </div>
        <div>
          <dt>Assignments</dt>
          <dd>{course.assignment_count}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>{formatDate(course.created_at)}</dd>
        </div>
        <div>
          <dt>Updated</dt>
          <dd>{formatDate(course.updated_at)}</dd>
        </div>
      </dl>
      <div className={classes.panels}>
        <CourseAssignments
          course={course}
          gone={(id) =>
            loaded.patch((now) => ({
              ...now,
              assignment_count: now.assignment_count - 1,
              assignments: now.assignments.filter((one) => one.id !== id),
            }))
          }
        />
        <CourseStudents course={course} loaded={loaded} />
      </div>
      <p className={classes.hidden} aria-live="polite">
        {plural(course.student_count, 'student')} enrolled
      </p>
    </Page>
  )
}

function NotFound() {
  return (
    <EmptyState
      titleOrder={1}
      drawing={<LostPageDrawing />}
      title="Course Not Found"
      action={
        <Button component={Link} to="/courses">
          Back to Courses
        </Button>
      }
    >
      The course you’re looking for doesn’t exist or you don’t have access to it.
    </EmptyState>
  )
}
