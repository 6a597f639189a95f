import type { CourseStanding, StudentTrend } from '@assay/shared/analytics.ts'
import { StatusMark } from '../../components/StatusMark.tsx'
import classes from './TrendMark.module.css'

/** Where grades are going, or how a course stands; ‘N/A’ where there are too few to say. */
export function TrendMark({ trend }: { trend: CourseStanding | StudentTrend | null }) {
  if (trend === null) return <span className={classes.none}>N/A</span>
  return <StatusMark status={trend} />
}
