import { getStudentDashboard } from '@assay/shared/students.ts'
import { CardSkeletons, Loaded, Page, PageHeader } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { JoinCourseButton } from '../dashboard/StudentDashboardPage.tsx'
import { EnrollmentRequests, NoCourses, StudentCourseCard, StudentCourseCards } from './StudentCourseCard.tsx'
import { BackToDashboard } from './StudentCourseStates.tsx'

export function StudentCoursesPage() {
  const dashboard = useGet(getStudentDashboard)
  const count = dashboard.data?.courses.length ?? 0
  return (
    <Page>
      <PageHeader
        title="My Courses"
        subtitle={count > 0 ? plural(count, 'course') : undefined}
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'My Courses' }]}
        actions={<JoinCourseButton />}
      />
      <EnrollmentRequests requests={dashboard.data?.enrollment_requests} />
      <Loaded
        query={dashboard}
        title="Failed to Load Courses"
        fallback="Failed to load course data."
        actions={<BackToDashboard />}
        skeleton={<CardSkeletons count={6} height={196} label="Loading your courses" />}
      >
        {({ courses }) =>
          courses.length === 0 ? (
            <NoCourses />
          ) : (
            <StudentCourseCards>
              {courses.map((course) => (
                <StudentCourseCard key={course.id} course={course} />
              ))}
            </StudentCourseCards>
          )
        }
      </Loaded>
    </Page>
  )
}
