import type { CourseDetail } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router-dom'
import { PapersDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { RowSkeletons } from '../../components/PageSkeleton.tsx'
import { Panel } from '../../components/Panel.tsx'
import { formatMoment } from '../../lib/format.ts'
import { AnalyticsFailed } from './AnalyticsFailed.tsx'
import classes from './AnalyticsPage.module.css'
import { AnalyticsSkeleton } from './AnalyticsSkeleton.tsx'
import { CourseSummary } from './CourseSummary.tsx'
import { GradeDistributionPanel } from './GradeDistributionPanel.tsx'
import { QuestionsPanel } from './QuestionsPanel.tsx'
import { StudentsPanel } from './StudentsPanel.tsx'
import { SummaryCards } from './SummaryCards.tsx'
import { type CourseFigures, useCourseFigures } from './useCourseFigures.ts'

export function AnalyticsPage() {
  const { courseId = '' } = useParams()
  if (!/^[1-9]\d{0,14}$/.test(courseId)) return <AnalyticsFailed message="Course ID is required" />
  return <CourseAnalyticsPage courseId={Number(courseId)} />
}

function CourseAnalyticsPage({ courseId }: { courseId: number }) {
  const { figures, error, reload } = useCourseFigures(courseId)
  if (figures) return <Opened figures={figures} />
  if (error) return <AnalyticsFailed error={error} retry={reload} courseId={courseId} />
  return <AnalyticsSkeleton />
}

/** Nobody to look at and nothing graded: the page would be zeros. */
function isEmpty({ overall }: CourseFigures): boolean {
  const nothing = overall.total_enrolled_students === 0 || overall.total_assignments === 0
  return overall.total_graded_items === 0 && nothing
}

function Opened({ figures }: { figures: CourseFigures }) {
  const { overall, distribution, students, course } = figures
  return (
    <Page>
      <Header course={course} lastUpdated={overall.last_updated} />
      {isEmpty(figures) ? (
        <EmptyState drawing={<PapersDrawing />} title="No Analytics Data Available">
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
          Last updated <time dateTime={lastUpdated}>{formatMoment(lastUpdated)}</time>
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
