import { getStudentCourse, listStudentAssignments } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { PageSkeleton, RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { prefetchPdfViewer } from '../../../components/pdf/prefetch-pdf-viewer.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { useIdlePrefetch } from '../../../lib/loading/useIdlePrefetch.ts'
import { AssignmentList } from './AssignmentList.tsx'
import { CourseTotals } from './CourseTotals.tsx'
import { CourseNotFound, StudentCourseError, WithCourseId } from './StudentCourseStates.tsx'

export function StudentCoursePage() {
  return <WithCourseId>{(courseId) => <Course key={courseId} courseId={courseId} />}</WithCourseId>
}

function Course({ courseId }: { courseId: number }) {
  const course = useGet(getStudentCourse, { courseId })
  const assignments = useGet(listStudentAssignments, { courseId })
  useIdlePrefetch(prefetchPdfViewer, { ready: assignments.data !== undefined && assignments.data.length > 0 })

  if (course.data) {
    const { name, course_code, description, graded_assignment_count } = course.data
    return (
      <Page width="standard">
        <PageHeader
          title={name}
          subtitle={[course_code, description].filter(Boolean).join(' · ')}
          crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: course_code ?? 'Course' }]}
          actions={
            graded_assignment_count > 0 && (
              <Button component={Link} to={`/student/courses/${courseId}/grades`} variant="default">
                Grades
              </Button>
            )
          }
        />
        <CourseTotals course={course.data} />
        {assignments.data ? (
          <AssignmentList assignments={assignments.data} />
        ) : assignments.error ? (
          <LoadError error={assignments.error} retry={assignments.reload} title="Failed to load assignments" />
        ) : (
          <RowSkeletons count={4} label="Loading assignments" />
        )}
      </Page>
    )
  }
  if (course.error?.status === 404) return <CourseNotFound />
  if (course.error) return <StudentCourseError error={course.error} retry={course.reload} />
  return <PageSkeleton label="Loading the course" />
}
