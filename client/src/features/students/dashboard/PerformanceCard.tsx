import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { performanceMessage } from '@assay/shared/rules/letter-grades.ts'
import type { getStudentDashboard } from '@assay/shared/students.ts'
import { formatPoints } from '../../../lib/format.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import classes from './PerformanceCard.module.css'

type Summary = ReplyOf<typeof getStudentDashboard>['grade_summary']

export function PerformanceCard({ summary }: { summary: Summary }) {
  const { average_score: average } = summary
  return (
    <section className={classes.root} aria-labelledby="performance">
      <h2 id="performance" className={classes.title}>
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
