import type { ReplyOf } from '@assay/shared/endpoint.ts'
import { gradeBand, letterGrade, performanceMessage } from '@assay/shared/rules/letters.ts'
import type { getStudentDashboard } from '@assay/shared/students.ts'
import { formatPercent } from '../../lib/format.ts'
import { bandWords, formatPoints } from '../grades/grade-words.ts'
import classes from './PerformanceCard.module.css'

type Summary = ReplyOf<typeof getStudentDashboard>['grade_summary']

export function PerformanceCard({ summary }: { summary: Summary }) {
  const { average_score: average } = summary
  const band = gradeBand(average)
  return (
    <section className={classes.root} aria-labelledby="performance">
      <h2 id="performance" className={classes.title}>
        Academic Performance
      </h2>
      <p className={classes.average}>
        <span className={classes.percent} data-band={band}>
          {average === null ? '–' : formatPercent(average)}
        </span>
        <span className={classes.letter}>{letterGrade(average)}</span>
        {average !== null && <span className={classes.band}>{bandWords[band]}</span>}
      </p>
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
