import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { PageSkeleton } from '../../components/layout/PageSkeleton.tsx'
import { type QueryResult, useGet } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { useIdlePrefetch } from '../../lib/loading/useIdlePrefetch.ts'
import { AddNonLmsPeople } from '../lti/roster/AddNonLmsPeople.tsx'
import { CourseRetentionNotice } from '../retention/CourseRetentionNotice.tsx'
import { CourseAssignments } from './CourseAssignments.tsx'
import { CourseError } from './CourseError.tsx'
import { CourseInstructors } from './CourseInstructors.tsx'
import classes from './CoursePage.module.css'
import { CourseStudents } from './CourseStudents.tsx'
import { DeleteCourseModal } from './DeleteCourseModal.tsx'
import { JoinCodePanel } from './JoinCodePanel.tsx'

/** With the charts. */
const prefetchAnalytics = () => import('../analytics/AnalyticsPage.tsx')

export function CoursePage() {
  const { courseId } = useRouteIds('courseId')
  const course = useGet(getCourse, { courseId })
  useIdlePrefetch(prefetchAnalytics, { ready: course.data !== undefined })
  if (course.data) return <LoadedCourse course={course.data} loaded={course} />
  if (course.error) return <CourseError error={course.error} retry={course.reload} />
  return <PageSkeleton label="Loading course" />
}

function LoadedCourse({ course, loaded }: { course: CourseDetail; loaded: QueryResult<CourseDetail> }) {
  const [deleting, setDeleting] = useState(false)
  const fromLms = course.lms_names.length > 0
  return (
    <Page>
      <PageHeader
        title={course.name}
        crumbs={[{ label: 'My Courses', to: '/courses' }, { label: course.name }]}
        badge={course.course_code && <span className={classes.code}>{course.course_code}</span>}
        subtitle={course.description}
        actions={
          <>
            <Button component={Link} to={`/courses/${course.id}/analytics`} variant="default">
              Analytics
            </Button>
            <Button component={Link} to={`/courses/${course.id}/roster`} variant="default">
              Manage Roster
            </Button>
            <Button component={Link} to={`/courses/${course.id}/model`} variant="default">
              AI model
            </Button>
            <Button component={Link} to={`/courses/${course.id}/edit`} variant="default">
              Edit Course
            </Button>
            <Button variant="default" className={classes.delete} onClick={() => setDeleting(true)}>
              Delete Course
            </Button>
          </>
        }
      />
      <CourseRetentionNotice course={course} />
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
          gone={(ids) =>
            loaded.patch((now) => {
              const assignments = now.assignments.filter(({ id }) => !ids.includes(id))
              return { ...now, assignment_count: assignments.length, assignments }
            })
          }
        />
        <div className={classes.people}>
          {!fromLms && <JoinCodePanel course={course} loaded={loaded} />}
          <CourseStudents course={course} loaded={loaded} />
          <CourseInstructors course={course} loaded={loaded} />
          {fromLms && (
            <AddNonLmsPeople lms={course.lms_names} shown={course.join_code !== null}>
              <JoinCodePanel course={course} loaded={loaded} />
            </AddNonLmsPeople>
          )}
        </div>
      </div>
      <DeleteCourseModal course={course} opened={deleting} close={() => setDeleting(false)} />
      <p className={classes.hidden} aria-live="polite">
        {plural(course.student_count, 'student')} enrolled
      </p>
    </Page>
  )
}
