import { getStudentDashboard, type StudentCourse } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { CardSkeletons } from '../../components/PageSkeleton.tsx'
import { useGet } from '../../lib/api.ts'
import type { ApiError } from '../../lib/api-error.ts'
import { plural } from '../../lib/format.ts'
import { NoCourses } from './NoCourses.tsx'
import { StudentCourseCard, StudentCourseCards } from './StudentCourseCard.tsx'
import { JoinCourse } from './StudentDashboardPage.tsx'

/** Every course one is enrolled in; the same reply the dashboard shows the first of. */
export function StudentCoursesPage() {
  const { data, error, reload } = useGet(getStudentDashboard)
  const count = data?.courses.length ?? 0
  return (
    <Page>
      <PageHeader
        title="My Courses"
        subtitle={count > 0 ? plural(count, 'course') : undefined}
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'My Courses' }]}
        actions={<JoinCourse />}
      />
      <Content courses={data?.courses} error={error} reload={reload} />
    </Page>
  )
}

interface ContentProps {
  courses: StudentCourse[] | undefined
  error: ApiError | undefined
  reload: () => unknown
}

function Content({ courses, error, reload }: ContentProps) {
  if (courses?.length === 0) return <NoCourses />
  if (courses) {
    return (
      <StudentCourseCards>
        {courses.map((course) => (
          <StudentCourseCard key={course.id} course={course} />
        ))}
      </StudentCourseCards>
    )
  }
  if (error) {
    return (
      <LoadFailed
        error={error}
        retry={reload}
        title="Failed to Load Courses"
        fallback="Failed to load course data."
      >
        <Button component={Link} to="/student/dashboard" variant="default">
          Back to dashboard
        </Button>
      </LoadFailed>
    )
  }
  return <CardSkeletons count={6} height={196} label="Loading your courses" />
}
