import type { StudentAssignment } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Card } from '../../components/Card.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { formatDate, formatMoment } from '../../lib/format.ts'
import classes from './AssignmentResult.module.css'
import { CriterionScores } from './CriterionScores.tsx'
import { DownloadPaper } from './DownloadPaper.tsx'
import { statusMarks, workStatus } from './own-work.ts'
import { ReleasedGrade } from './ReleasedGrade.tsx'
import { WorkDates } from './WorkDates.tsx'

/** One assignment as its student has it: handed in or not, and what came back. */
export function AssignmentResult({ assignment }: { assignment: StudentAssignment }) {
  const { id, title, created_at, submission_date, submission_id, criterion_grades, can_hand_in } = assignment
  const work = workStatus(assignment)
  const { status, word } = statusMarks[work]
  const to = `/student/assignments/${id}`
  return (
    <Card label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.dates}>
            Created {formatDate(created_at)}
            {submission_date && ` · Handed in ${formatMoment(submission_date)}`}
          </p>
        </div>
        <span className={classes.marks}>
          <StatusMark status={status}>{word}</StatusMark>
          <TimeMark assignment={assignment} />
        </span>
      </div>
      {work !== 'graded' && (
        <div className={classes.due}>
          <WorkDates assignment={assignment} />
        </div>
      )}
      {assignment.is_graded && <ReleasedGrade assignment={assignment} />}
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
        {submission_id !== null && (
          <DownloadPaper assignmentId={id} submissionId={submission_id} title={title} />
        )}
      </div>
    </Card>
  )
}

/** Where time matters: not open yet, past due without a paper, or handed in late. */
function TimeMark({
  assignment: { late, state, has_submission, is_graded },
}: {
  assignment: StudentAssignment
}) {
  if (late) return <StatusMark status="overdue">Late</StatusMark>
  if (has_submission || is_graded) return null
  if (state === 'upcoming') return <StatusMark status="upcoming" />
  if (state === 'overdue') return <StatusMark status="overdue" />
  return state === 'closed' ? <StatusMark status="overdue">Closed</StatusMark> : null
}
