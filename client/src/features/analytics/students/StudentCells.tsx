import type { Concern, StudentPerformance } from '@assay/shared/analytics.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { formatDate, formatPercent } from '../../../lib/format.ts'
import { CompletionBar } from '../../students/courses/CompletionBar.tsx'
import classes from './StudentCells.module.css'

interface Props {
  student: StudentPerformance
}

const concernLabels: Record<Concern, string> = {
  low_average: 'average below 65',
  missing_work: 'work missing',
  falling: 'grades falling',
}

/** The name; under it, for students who may need help, why. */
export function StudentName({ student }: Props) {
  return (
    <div className={classes.who}>
      <span className={classes.name} title={student.student_name}>
        {student.student_name}
      </span>
      {student.is_struggling && (
        <span className={classes.concerns}>
          <IconAlertTriangle size={14} stroke={2} aria-hidden />
          <span>
            <VisuallyHidden>Struggling: </VisuallyHidden>
            {student.concerns.map((concern) => concernLabels[concern]).join(', ')}
          </span>
        </span>
      )}
    </div>
  )
}

export function Completion({ student: { completion_rate } }: Props) {
  if (completion_rate === null) return <span className={classes.none}>N/A</span>
  return (
    <div className={classes.completion}>
      <span className="numbers">{formatPercent(completion_rate)}</span>
      <CompletionBar percent={completion_rate} label="Completion rate" />
    </div>
  )
}

export function AverageGrade({ student: { average_grade } }: Props) {
  if (average_grade === null) return <span className={classes.none}>N/A</span>
  return <ScoreBadge score={average_grade} />
}

export function LastActivity({ student: { last_activity } }: Props) {
  if (last_activity === null) return 'Never'
  return <time dateTime={last_activity}>{formatDate(last_activity)}</time>
}
