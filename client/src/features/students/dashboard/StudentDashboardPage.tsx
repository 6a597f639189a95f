import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { CardSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { SmartErrorBoundary } from '../../../errors/SmartErrorBoundary.tsx'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'
import { launchId } from '../../../lib/session/launch-path.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { ConfirmAddressNotice } from '../../profile/ConfirmAddressNotice.tsx'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { NoCourses } from '../courses/NoCourses.tsx'
import { StudentCourseCard, StudentCourseCards } from '../courses/StudentCourseCard.tsx'
import { PerformanceCard } from './PerformanceCard.tsx'
import { QuickActions } from './QuickActions.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import classes from './StudentDashboardPage.module.css'

type Dashboard = ReplyOf<typeof getStudentDashboard>

export function StudentDashboardPage() {
  const dashboard = useGet(getStudentDashboard)
  return (
    <Page>
      <PageHeader title="Student Dashboard" actions={<JoinCourseButton />} />
      <ConfirmAddress />
      <Content dashboard={dashboard} />
    </Page>
  )
}

function ConfirmAddress() {
  const { email, email_verified, from_lms } = useUser()
  if (email_verified || from_lms) return null
  return (
    <div className={classes.confirm}>
      <ConfirmAddressNotice email={email} />
    </div>
  )
}

export function JoinCourseButton() {
  // The LMS says who is in which course.
  if (launchId !== null) return null
  return (
    <Button component={Link} to="/student/join-course" leftSection={<IconPlus size={18} aria-hidden />}>
      Join Course
    </Button>
  )
}

function Content({ dashboard: { data, error, reload } }: { dashboard: QueryResult<Dashboard> }) {
  if (data?.courses.length === 0) {
    return (
      <>
        <h2 className={classes.welcome}>Welcome to Your Dashboard</h2>
        <NoCourses />
      </>
    )
  }
  if (data) return <DashboardContent dashboard={data} />
  if (error) {
    return (
      <LoadError
        error={error}
        retry={reload}
        title="Failed to Load Dashboard"
        fallback="Failed to load dashboard data."
      >
        <Button component={Link} to="/student/courses" variant="default">
          View Courses
        </Button>
      </LoadError>
    )
  }
  return <CardSkeletons count={4} height={196} label="Loading your dashboard" />
}

const FIRST = 4

function DashboardContent({ dashboard }: { dashboard: Dashboard }) {
  const { courses, recent_grades, grade_summary } = dashboard
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Panel
          title={`My Courses (${courses.length})`}
          actions={
            <Button component={Link} to="/student/courses" variant="subtle" aria-label="View All courses">
              View All
            </Button>
          }
        >
          <StudentCourseCards>
            {courses.slice(0, FIRST).map((course) => (
              <StudentCourseCard key={course.id} course={course} />
            ))}
          </StudentCourseCards>
        </Panel>
        <SmartErrorBoundary context="data">
          <RecentActivity grades={recent_grades} />
        </SmartErrorBoundary>
      </div>
      <div className={classes.side}>
        <SmartErrorBoundary context="data">
          <PerformanceCard summary={grade_summary} />
        </SmartErrorBoundary>
        <QuickActions />
        {recent_grades.length > 0 && <AiDisclosureNote />}
      </div>
    </div>
  )
}
