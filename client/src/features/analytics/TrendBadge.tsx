import type { CoursePerformance, StudentTrend } from '@assay/shared/analytics.ts'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import classes from './TrendBadge.module.css'

export function TrendBadge({ trend }: { trend: CoursePerformance | StudentTrend | null }) {
  if (trend === null) return <span className={classes.none}>N/A</span>
  return <StatusBadge status={trend} />
}
