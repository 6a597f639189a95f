import type { RegradeRequest } from '@assay/shared/regrades.ts'
import { TeacherIcon } from '../../components/display/Attribution.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { MathText } from '../../components/math/MathText.tsx'
import { formatDateTime, formatPercent, formatPoints } from '../../lib/format.ts'
import classes from './regrades.module.css'

const OUTCOMES = { granted: 'Granted', declined: 'Declined', lowered: 'Lowered', answered: 'Answered' }

export function RegradeHistory({ regrades, who }: { regrades: RegradeRequest[]; who: 'student' | 'teacher' }) {
  return regrades.map((request) => (
    <article key={request.id} className={classes.request} aria-label="Regrade request">
      <div className={classes.head}>
        {request.state === 'open' ? (
          <StatusBadge status="pending">{who === 'student' ? 'Waiting for an answer' : 'Open'}</StatusBadge>
        ) : (
          <StatusBadge status={request.outcome === 'declined' ? 'stable' : 'graded'}>
            {OUTCOMES[request.outcome ?? 'answered']}
          </StatusBadge>
        )}
        <time dateTime={request.asked_at} className="hint">
          {formatDateTime(request.asked_at)}
        </time>
      </div>
      {request.criterion && (
        <p className={classes.about}>
          About{request.question ? ` question ${request.question.number}` : ''}:{' '}
          <MathText>{request.criterion.text}</MathText>
        </p>
      )}
      <p className={classes.words}>
        <MathText>{request.reason}</MathText>
      </p>
      {request.answer !== null && (
        <div className={classes.answer}>
          <p className={classes.words}>
            <TeacherIcon /> <MathText>{request.answer}</MathText>
          </p>
          <p className="hint">
            {scoreChange(request)}
            {request.answered_at && (
              <>
                {' · '}
                <time dateTime={request.answered_at}>{formatDateTime(request.answered_at)}</time>
              </>
            )}
          </p>
        </div>
      )}
    </article>
  ))
}

function scoreChange(request: RegradeRequest): string {
  const { points } = request
  const score = percentChange(request)
  if (!points || points.when_answered === null || points.when_asked === points.when_answered) return score
  const before = points.when_asked === null ? 'not graded' : formatPoints(points.when_asked)
  const question = request.question ? `Question ${request.question.number}: ` : ''
  return `${question}${before} → ${formatPoints(points.when_answered)} of ${formatPoints(points.of)} points. ${score}`
}

function percentChange({ score_when_asked: before, score_when_answered: after }: RegradeRequest): string {
  if (after === null) return 'The grade is not complete yet'
  if (after === before) return `The grade stays at ${formatPercent(before)}`
  return `The grade changed from ${formatPercent(before)} to ${formatPercent(after)}`
}
