import {
  type CourseAnalytics,
  type GradeDistribution,
  getCourseAnalytics,
  getGradeDistribution,
  listStudentPerformance,
  type StudentPerformance,
} from '@assay/shared/analytics.ts'
import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useParams } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { EmptyState, ErrorIllustration, PapersIllustration } from '../../components/feedback/EmptyState.tsx'
import { Page, PageHeader, Panel, RowSkeletons } from '../../components/layout/Page.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import { useGet, useGetAll } from '../../lib/api/api-hooks.ts'
import { formatCount, formatDateTime, formatPercent, plural } from '../../lib/format.ts'
import { coursePath } from '../../paths.ts'
import classes from './AnalyticsPage.module.css'
import { GradeDistributionPanel } from './GradeDistributionPanel.tsx'
import { QuestionsPanel } from './questions/QuestionsPanel.tsx'
import { StudentsPanel } from './students/StudentsPanel.tsx'
import { TrendBadge } from './TrendBadge.tsx'

export function AnalyticsPage() {
  const { courseId = '' } = useParams()
  if (!/^[1-9]\d{0,14}$/.test(courseId)) return <AnalyticsError message="Course ID is required" />
  return <CourseAnalyticsPage courseId={Number(courseId)} />
}

function CourseAnalyticsPage({ courseId }: { courseId: number }) {
  const { figures, error, reload } = useCourseAnalytics(courseId)
  if (figures) return <LoadedAnalytics figures={figures} />
  if (error) return <AnalyticsError error={error} retry={reload} courseId={courseId} />
  return <AnalyticsSkeleton />
}

function isEmpty({ overall }: CourseAnalyticsData): boolean {
  const nothing = overall.total_enrolled_students === 0 || overall.total_assignments === 0
  return overall.total_graded_items === 0 && nothing
}

function LoadedAnalytics({ figures }: { figures: CourseAnalyticsData }) {
  const { overall, distribution, students, course } = figures
  return (
    <Page>
      <Header course={course} lastUpdated={overall.last_updated} />
      {isEmpty(figures) ? (
        <EmptyState illustration={<PapersIllustration />} title="No Analytics Data Available">
          Analytics data will appear here once students start submitting assignments and grades are published.
        </EmptyState>
      ) : (
        <>
          <SummaryCards overall={overall} />
          <div className={classes.chart}>
            <GradeDistributionPanel distribution={distribution} />
          </div>
          {students ? (
            <StudentsPanel students={students} />
          ) : (
            <Panel title="Student Performance">
              <RowSkeletons label="Loading students" />
            </Panel>
          )}
          <QuestionsPanel course={course} />
        </>
      )}
    </Page>
  )
}

function Header({ course, lastUpdated }: { course: CourseDetail; lastUpdated: string }) {
  return (
    <PageHeader
      title={course.name}
      tabTitle={`Analytics · ${course.name}`}
      crumbs={[
        { label: 'My Courses', to: '/courses' },
        { label: course.name, to: coursePath(course.id) },
        { label: 'Analytics' },
      ]}
      subtitle={
        <>
          Last updated <time dateTime={lastUpdated}>{formatDateTime(lastUpdated)}</time>
        </>
      }
      actions={<LinkButton to={coursePath(course.id)}>Back to Course</LinkButton>}
    />
  )
}

function AnalyticsSkeleton() {
  return (
    <Page>
      <Skeleton height={28} width="min(20rem, 70%)" radius="sm" />
      <Skeleton height={16} width="min(14rem, 60%)" mt={12} mb={32} radius="sm" />
      <div className={classes.cards}>
        {['average', 'completion', 'graded', 'trend'].map((card) => (
          <Skeleton key={card} height={92} radius="lg" />
        ))}
      </div>
      <div className={classes.chart}>
        <Skeleton height={320} radius="lg" />
      </div>
      <RowSkeletons label="Loading analytics" />
    </Page>
  )
}

const FALLBACK = 'Failed to load analytics data. Please try again.'

interface Props {
  error?: ApiError
  message?: string
  retry?: () => Promise<unknown>
  courseId?: number
}

function AnalyticsError({ error, message, retry, courseId }: Props) {
  usePageTitle('Analytics')
  return (
    <div role="alert">
      <EmptyState
        titleOrder={1}
        illustration={<ErrorIllustration />}
        title="Failed to Load Analytics"
        action={
          <Button.Group>
            <Button onClick={() => (retry ? void retry().catch(() => undefined) : window.location.reload())}>
              Try Again
            </Button>
            <LinkButton to={courseId === undefined ? '/courses' : coursePath(courseId)}>Back to Course</LinkButton>
          </Button.Group>
        }
      >
        {message ?? messageOf(error, FALLBACK)}
      </EmptyState>
    </div>
  )
}

function SummaryCards({ overall }: { overall: CourseAnalytics }) {
  const { course_average_grade: average, overall_completion_rate: completion } = overall
  const { total_enrolled_students: students, total_assignments: assignments } = overall
  return (
    <dl className={classes.cards}>
      <Figure label="Course Average">
        {average === null ? 'N/A' : formatPercent(average)}
        {average !== null && <span className={classes.letter}>{letterGrade(average)}</span>}
      </Figure>
      <Figure
        label="Completion Rate"
        of={`${plural(students, 'student')}, ${plural(assignments, 'published assignment')}`}
      >
        {completion === null ? 'N/A' : formatPercent(completion)}
      </Figure>
      <Figure label="Total Submissions Graded" of="released grades only">
        {formatCount(overall.total_graded_items)}
      </Figure>
      <Figure label="Performance Trend">
        <TrendBadge trend={overall.performance_trend} />
      </Figure>
    </dl>
  )
}

function Figure({ label, of, children }: { label: string; of?: string; children: ReactNode }) {
  return (
    <div className={classes.card}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {of && <dd className={classes.of}>{of}</dd>}
    </div>
  )
}

interface CourseAnalyticsData {
  overall: CourseAnalytics
  distribution: GradeDistribution
  /** Many in a large course, so they load last. */
  students: StudentPerformance[] | undefined
  course: CourseDetail
}

/** Four calls without retries: figures that do not belong together are worse than none. */
function useCourseAnalytics(courseId: number) {
  const once = { retry: false }
  const overall = useGet(getCourseAnalytics, { courseId }, undefined, once)
  const distribution = useGet(getGradeDistribution, { courseId }, undefined, once)
  const students = useGetAll(listStudentPerformance, { courseId }, once)
  const course = useGet(getCourse, { courseId }, undefined, once)

  const calls = [overall, distribution, students, course]
  const error = calls.find((call) => call.error)?.error
  useEffect(() => {
    if (error) console.error('Failed to load analytics data', error)
  }, [error])

  let figures: CourseAnalyticsData | null = null
  if (overall.data && distribution.data && course.data && (students.data || !error))
    figures = { overall: overall.data, distribution: distribution.data, students: students.data, course: course.data }
  return { figures, error, reload: () => Promise.all(calls.map((call) => call.reload())) }
}
