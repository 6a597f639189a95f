import type { ReplyOf } from '@assay/shared/endpoint.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CourseDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { CardSkeletons } from '../../components/PageSkeleton.tsx'
import { type Loaded, useGet } from '../../lib/api.ts'
import { useUser } from '../../lib/session.tsx'
import { ConfirmAddressNotice } from '../profile/ConfirmAddressNotice.tsx'
import { AiNote } from './AiNote.tsx'
import { PerformanceCard } from './PerformanceCard.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { StudentCourseCard } from './StudentCourseCard.tsx'
import classes from './StudentDashboardPage.module.css'

type Dashboard = ReplyOf<typeof getStudentDashboard>

export function StudentDashboardPage() {
  const dashboard = useGet(getStudentDashboard)
  return (
    <Page>
      <PageHeader title="Student Dashboard" />
      <ConfirmAddress />
      <Content dashboard={dashboard} />
    </Page>
  )
}

function ConfirmAddress() {
  const { email, email_verified } = useUser()
  if (email_verified) return null
  return (
    <div className={classes.confirm}>
      <ConfirmAddressNotice email={email} />
    </div>
  )
}

function Content({ dashboard: { data, error, reload } }: { dashboard: Loaded<Dashboard> }) {
  if (data?.courses.length === 0) return <NoCourses />
  if (data) return <Full dashboard={data} />
  if (error) return <LoadFailed error={error} retry={reload} title="Failed to Load Dashboard" />
  return <CardSkeletons count={4} height={196} label="Loading your dashboard" />
}

function NoCourses() {
  const { id } = useUser()
  return (
    <>
      <h2 className={classes.welcome}>Welcome to Your Dashboard</h2>
      <EmptyState drawing={<CourseDrawing />} title="No Courses Yet">
        Your user ID is <strong>{id}</strong>: your instructor enrols you with it. Then the course appears
        here with your assignments and grades.
      </EmptyState>
    </>
  )
}

const FIRST = 4

function Full({ dashboard }: { dashboard: Dashboard }) {
  const { courses, recent_grades, grade_summary } = dashboard
  const [all, setAll] = useState(false)
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <section aria-labelledby="courses">
          <div className={classes.head}>
            <h2 id="courses">My Courses ({courses.length})</h2>
            {courses.length > FIRST && (
              <Button variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? 'Show fewer' : 'View All'}
              </Button>
            )}
          </div>
          <div className={classes.cards}>
            {courses.slice(0, all ? undefined : FIRST).map((course) => (
              <StudentCourseCard key={course.id} course={course} />
            ))}
          </div>
        </section>
        <RecentActivity grades={recent_grades} />
      </div>
      <div className={classes.side}>
        <PerformanceCard summary={grade_summary} />
        {recent_grades.length > 0 && <AiNote />}
      </div>
    </div>
  )
}
