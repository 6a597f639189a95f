import { Id } from '@assay/shared/ids.ts'
import { getStudentCourse, listStudentAssignments } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router-dom'
import { LostPageDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton, RowSkeletons } from '../../components/PageSkeleton.tsx'
import { usePageTitle } from '../../components/usePageTitle.ts'
import { useGet } from '../../lib/api.ts'
import { AssignmentList } from './AssignmentList.tsx'
import { CourseTotals } from './CourseTotals.tsx'

export function StudentCoursePage() {
  const { courseId } = useParams()
  const id = Id.safeParse(Number(courseId))
  // The specification has its own words for this address, unlike for others.
  if (!id.success) return <Lost title="Invalid course ID" />
  return <Course key={id.data} courseId={id.data} />
}

function Course({ courseId }: { courseId: number }) {
  const course = useGet(getStudentCourse, { courseId })
  const assignments = useGet(listStudentAssignments, { courseId })

  if (course.data) {
    const { name, course_code, description } = course.data
    return (
      <Page width="standard">
        <PageHeader
          title={name}
          subtitle={[course_code, description].filter(Boolean).join(' · ')}
          crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: course_code ?? 'Course' }]}
        />
        <CourseTotals course={course.data} />
        {assignments.data ? (
          <AssignmentList assignments={assignments.data} />
        ) : assignments.error ? (
          <LoadFailed
            error={assignments.error}
            retry={assignments.reload}
            title="Failed to load assignments"
          />
        ) : (
          <RowSkeletons count={4} label="Loading assignments" />
        )}
      </Page>
    )
  }
  if (course.error?.status === 404) {
    return (
      <Lost title="Course Not Found">
        The course you're looking for doesn't exist or you don't have access to it.
      </Lost>
    )
  }
  if (course.error) {
    return (
      <Page>
        <LoadFailed error={course.error} retry={course.reload} title="Failed to Load Course">
          <BackToDashboard />
        </LoadFailed>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the course" />
}

function Lost({ title, children }: { title: string; children?: string }) {
  usePageTitle(title)
  return (
    <Page>
      <EmptyState drawing={<LostPageDrawing />} title={title} titleOrder={1} action={<BackToDashboard />}>
        {children}
      </EmptyState>
    </Page>
  )
}

function BackToDashboard() {
  return (
    <Button component={Link} to="/student/dashboard" variant="default">
      Back to dashboard
    </Button>
  )
}
