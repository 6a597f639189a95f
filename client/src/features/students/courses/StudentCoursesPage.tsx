import { getStudentDashboard, type StudentCourse } from '@assay/shared/students.ts'
import { CardSkeletons, LoadError } from '../../../components/feedback/Loaded.tsx'
import { Page, PageHeader } from '../../../components/layout/Page.tsx'
import type { ApiError } from '../../../lib/api/api-error.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { JoinCourseButton } from '../dashboard/StudentDashboardPage.tsx'
import { EnrollmentRequests } from './EnrollmentRequests.tsx'
import { NoCourses } from './NoCourses.tsx'
import { StudentCourseCard, StudentCourseCards } from './StudentCourseCard.tsx'
import { BackToDashboard } from './StudentCourseStates.tsx'

export function StudentCoursesPage() {
  const { data, error, reload } = useGet(getStudentDashboard)
  const count = data?.courses.length ?? 0
  return (
    <Page>
      <PageHeader
        title="My Courses"
        subtitle={count > 0 ? plural(count, 'course') : undefined}
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'My Courses' }]}
        actions={<JoinCourseButton />}
      />
      <EnrollmentRequests requests={data?.enrollment_requests} />
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
      <LoadError error={error} retry={reload} title="Failed to Load Courses" fallback="Failed to load course data.">
        <BackToDashboard />
      </LoadError>
    )
  }
  return <CardSkeletons count={6} height={196} label="Loading your courses" />
}
