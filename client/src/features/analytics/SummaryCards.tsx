import type { CourseAnalytics } from '@assay/shared/analytics.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import type { ReactNode } from 'react'
import { formatCount, formatPercent } from '../../lib/format.ts'
import classes from './SummaryCards.module.css'
import { TrendBadge } from './TrendBadge.tsx'

export function SummaryCards({ overall }: { overall: CourseAnalytics }) {
  const { course_average_grade: average, overall_completion_rate: completion } = overall
  return (
    <dl className={classes.cards}>
      <Figure label="Course Average">
        {average === null ? 'N/A' : formatPercent(average)}
        {average !== null && <span className={classes.letter}>{letterGrade(average)}</span>}
      </Figure>
      <Figure label="Completion Rate">{completion === null ? 'N/A' : formatPercent(completion)}</Figure>
      <Figure label="Total Submissions Graded">{formatCount(overall.total_graded_items)}</Figure>
      <Figure label="Performance Trend">
        <TrendBadge trend={overall.performance_trend} />
      </Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.card}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
