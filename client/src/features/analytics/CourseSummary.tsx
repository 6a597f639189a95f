import type { CourseAnalytics } from '@assay/shared/analytics.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { formatCount, formatPercent } from '../../lib/format.ts'
import classes from './CourseSummary.module.css'
import { TrendBadge } from './TrendBadge.tsx'

const percent = (value: number | null) => (value === null ? 'N/A' : formatPercent(value))

export function CourseSummary({ overall }: { overall: CourseAnalytics }) {
  return (
    <Panel title="Course Summary">
      <dl className={classes.list}>
        <div>
          <dt>Total Students</dt>
          <dd>{formatCount(overall.total_enrolled_students)}</dd>
        </div>
        <div>
          <dt>Total Assignments</dt>
          <dd>{formatCount(overall.total_assignments)}</dd>
        </div>
        <div>
          <dt>Total Submissions Graded</dt>
          <dd>{formatCount(overall.total_graded_items)}</dd>
        </div>
        <div>
          <dt>Course Average</dt>
          <dd>{percent(overall.course_average_grade)}</dd>
        </div>
        <div>
          <dt>Overall Completion Rate</dt>
          <dd>{percent(overall.overall_completion_rate)}</dd>
        </div>
        <div>
          <dt>Performance Trend</dt>
          <dd>
            <TrendBadge trend={overall.performance_trend} />
          </dd>
        </div>
      </dl>
      <p className={classes.note}>Includes published assignments and released grades only.</p>
    </Panel>
  )
}
