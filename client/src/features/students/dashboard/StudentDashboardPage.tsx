import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { performanceMessage } from '@assay/shared/rules/letter-grades.ts'
import { getStudentDashboard, type RecentGrade } from '@assay/shared/students.ts'
import { IconBooks, IconChevronRight, IconListCheck, IconPlus, IconUserCog } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton } from '../../../components/display/buttons.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { CardSkeletons, Loaded, Page, PageHeader, Panel } from '../../../components/layout/Page.tsx'
import { MathText } from '../../../components/math/MathText.tsx'
import { SmartErrorBoundary } from '../../../errors/SmartErrorBoundary.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatPoints, formatTimeAgo, plural } from '../../../lib/format.ts'
import { launchId } from '../../../lib/session/launch-path.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { studentAssignmentPath } from '../../../paths.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import { ConfirmAddressNotice } from '../../users/profile/ConfirmAddressNotice.tsx'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { EnrollmentRequests, NoCourses, StudentCourseCard, StudentCourseCards } from '../courses/StudentCourseCard.tsx'
import classes from './StudentDashboardPage.module.css'

type Dashboard = ReplyOf<typeof getStudentDashboard>

export function StudentDashboardPage() {
  const dashboard = useGet(getStudentDashboard)
  return (
    <Page>
      <PageHeader title="Student Dashboard" actions={<JoinCourseButton />} />
      <ConfirmAddress />
      <EnrollmentRequests requests={dashboard.data?.enrollment_requests} />
      <Loaded
        query={dashboard}
        title="Failed to Load Dashboard"
        fallback="Failed to load dashboard data."
        actions={<LinkButton to="/student/courses">View Courses</LinkButton>}
        skeleton={<CardSkeletons count={4} height={196} label="Loading your dashboard" />}
      >
        {(data) =>
          data.courses.length === 0 ? (
            <>
              <h2 className={classes.welcome}>Welcome to Your Dashboard</h2>
              <NoCourses />
            </>
          ) : (
            <DashboardContent dashboard={data} />
          )
        }
      </Loaded>
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
    <PrimaryLinkButton to="/student/join-course" leftSection={<IconPlus size={18} aria-hidden />}>
      Join Course
    </PrimaryLinkButton>
  )
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
            <LinkButton to="/student/courses" variant="subtle" aria-label="View All courses">
              View All
            </LinkButton>
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
      <div className="wide-stack">
        <SmartErrorBoundary context="data">
          <PerformanceCard summary={grade_summary} />
        </SmartErrorBoundary>
        <QuickActions />
        {recent_grades.length > 0 && <AiDisclosureNote />}
      </div>
    </div>
  )
}

function PerformanceCard({ summary }: { summary: Dashboard['grade_summary'] }) {
  const { average_score: average } = summary
  return (
    <section className={classes.performance} aria-labelledby="performance">
      <h2 id="performance" className={classes.performanceTitle}>
        Academic Performance
      </h2>
      <LargeScore score={average} />
      <p className={classes.message}>{performanceMessage(average)}</p>
      <dl className={classes.facts}>
        <div>
          <dt>Graded</dt>
          <dd>
            {summary.graded_assignments} of {summary.total_assignments}
          </dd>
        </div>
        {summary.total_points_possible > 0 && (
          <div>
            <dt>Points</dt>
            <dd>
              {formatPoints(summary.total_points_earned)} of {formatPoints(summary.total_points_possible)}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

const MAX_SHOWN = 5

function RecentActivity({ grades }: { grades: RecentGrade[] }) {
  const more = grades.length - MAX_SHOWN
  return (
    <Panel
      title="Recent Activity"
      actions={
        <LinkButton to="/student/grades" variant="subtle" aria-label="View All grades">
          View All
        </LinkButton>
      }
    >
      {grades.length === 0 ? (
        <p className="dim">Your grades appear here once your instructor publishes them.</p>
      ) : (
        <ul className="boxed-list">
          {grades.slice(0, MAX_SHOWN).map((grade) => (
            <li key={grade.assignment_id} className={classes.grade}>
              <div className={classes.head}>
                <Link to={studentAssignmentPath(grade.assignment_id)} className={classes.name}>
                  {grade.assignment_title}
                </Link>
                <ScoreBadge score={grade.overall_score} points={grade.points} />
              </div>
              <p className="hint">
                {grade.course_name} · <time dateTime={grade.graded_at}>{formatTimeAgo(grade.graded_at)}</time>
              </p>
              {grade.grade_feedback && (
                <p className={classes.feedback}>
                  <MathText>{grade.grade_feedback}</MathText>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <LinkButton to="/student/grades" variant="subtle" className={classes.more}>
          View {plural(more, 'more grade')}
        </LinkButton>
      )}
    </Panel>
  )
}

const actions = [
  { label: 'All Grades', to: '/student/grades', Icon: IconListCheck },
  { label: 'All Courses', to: '/student/courses', Icon: IconBooks },
  { label: 'Profile Settings', to: '/student/profile', Icon: IconUserCog },
]

function QuickActions() {
  return (
    <nav className={classes.quick} aria-labelledby="quick-actions">
      <h2 id="quick-actions" className={classes.quickTitle}>
        Quick Actions
      </h2>
      <ul className={classes.list}>
        {actions.map(({ label, to, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link}>
              <Icon size={18} stroke={1.6} aria-hidden />
              <span>{label}</span>
              <IconChevronRight size={16} className={classes.arrow} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
