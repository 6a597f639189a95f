import type { StudentAssignment } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { Card } from '../../../components/layout/Card.tsx'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { AssignmentDates } from '../assignment/AssignmentDates.tsx'
import { DownloadPaperButton } from '../assignment/DownloadPaperButton.tsx'
import { CriterionScores } from '../grades/CriterionScores.tsx'
import { ReleasedGrade } from '../grades/ReleasedGrade.tsx'
import { statusBadges, workStatus } from '../work-status.ts'
import classes from './StudentAssignmentCard.module.css'

/** One assignment as its student has it: handed in or not, and what came back. */
export function StudentAssignmentCard({ assignment }: { assignment: StudentAssignment }) {
  const { id, title, created_at, submission_date, submission_id, criterion_grades, can_hand_in } = assignment
  const work = workStatus(assignment)
  const { status, word } = statusBadges[work]
  const to = `/student/assignments/${id}`
  return (
    <Card label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.dates}>
            Created {formatDate(created_at)}
            {submission_date && ` · Handed in ${formatDateTime(submission_date)}`}
          </p>
        </div>
        <span className={classes.marks}>
          <StatusBadge status={status}>{word}</StatusBadge>
          <DueBadge assignment={assignment} />
        </span>
      </div>
      {work !== 'graded' && (
        <div className={classes.due}>
          <AssignmentDates assignment={assignment} />
        </div>
      )}
      {assignment.released_at !== null && <ReleasedGrade assignment={assignment} />}
      {criterion_grades.length > 0 && (
        <div className={classes.criteria}>
          <CriterionScores assignment={assignment} />
        </div>
      )}
      <div className={classes.actions}>
        {work === 'missing' && can_hand_in ? (
          <Button component={Link} to={to} aria-label={`Hand in ${title}`}>
            Hand in
          </Button>
        ) : (
          <Button component={Link} to={to} variant="default" aria-label={`View Details of ${title}`}>
            View Details
          </Button>
        )}
        {submission_id !== null && <DownloadPaperButton assignmentId={id} submissionId={submission_id} title={title} />}
      </div>
    </Card>
  )
}

/** Where time matters: not open yet, past due without a paper, or handed in late. */
function DueBadge({ assignment: { late, state, has_submission, is_graded } }: { assignment: StudentAssignment }) {
  if (late) return <StatusBadge status="overdue">Late</StatusBadge>
  if (has_submission || is_graded) return null
  if (state === 'upcoming') return <StatusBadge status="upcoming" />
  if (state === 'overdue') return <StatusBadge status="overdue" />
  return state === 'closed' ? <StatusBadge status="overdue">Closed</StatusBadge> : null
}
