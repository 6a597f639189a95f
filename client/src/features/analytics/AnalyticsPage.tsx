import type { CourseDetail } from '@assay/shared/courses.ts'
import { Button, Skeleton } from '@mantine/core'
import { Link, useParams } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { PapersIllustration } from '../../components/feedback/illustrations.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { AnalyticsError } from './AnalyticsError.tsx'
import classes from './AnalyticsPage.module.css'
import { CourseSummary } from './CourseSummary.tsx'
import { GradeDistributionPanel } from './GradeDistributionPanel.tsx'
import { QuestionsPanel } from './questions/QuestionsPanel.tsx'
import cards from './SummaryCards.module.css'
import { SummaryCards } from './SummaryCards.tsx'
import { StudentsPanel } from './students/StudentsPanel.tsx'
import { type CourseAnalyticsData, useCourseAnalytics } from './useCourseAnalytics.ts'

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

/** Nobody to look at and nothing graded: the page would be zeros. */
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
          <div className={classes.columns}>
            <GradeDistributionPanel distribution={distribution} />
            <CourseSummary overall={overall} />
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
        { label: course.name, to: `/courses/${course.id}` },
        { label: 'Analytics' },
      ]}
      subtitle={
        <>
          Last updated <time dateTime={lastUpdated}>{formatDateTime(lastUpdated)}</time>
        </>
      }
      actions={
        <Button component={Link} to={`/courses/${course.id}`} variant="default">
          Back to Course
        </Button>
      }
    />
  )
}

/** The page before its figures: four cards, the chart beside the list, the table. */
function AnalyticsSkeleton() {
  return (
    <Page>
      <Skeleton height={28} width="min(20rem, 70%)" radius="sm" />
      <Skeleton height={16} width="min(14rem, 60%)" mt={12} mb={32} radius="sm" />
      <div className={cards.cards}>
        {['average', 'completion', 'graded', 'trend'].map((card) => (
          <Skeleton key={card} height={92} radius="lg" />
        ))}
      </div>
      <div className={classes.columns}>
        <Skeleton height={320} radius="lg" />
        <Skeleton height={320} radius="lg" />
      </div>
      <RowSkeletons label="Loading analytics" />
    </Page>
  )
}
