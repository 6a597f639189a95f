import { finalPoints } from '@assay/shared/rules/criterion-points.ts'
import type { StudentAssignment } from '@assay/shared/students.ts'
import { AiIcon, Attribution, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { formatPoints } from '../../../lib/format.ts'
import { pointsInWords } from '../../grades/grade-labels.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import { ScoreSteps } from '../../score-rules/ScoreSteps.tsx'
import { isScoreOverridden } from '../work-status.ts'
import classes from './ReleasedGrade.module.css'

export function ReleasedGrade({ assignment }: { assignment: StudentAssignment }) {
  const { overall_score: score, grade_feedback: feedback, reviewed_by_teacher: reviewed } = assignment
  const { unscored_points: open } = assignment
  const points = score === null || isScoreOverridden(assignment) ? null : releasedPoints(assignment)
  return (
    <div className={classes.root}>
      {score !== null && (
        <LargeScore score={score} size="md">
          <Attribution who={reviewed ? 'teacher' : 'ai'}>
            {reviewed ? 'reviewed by your instructor' : 'AI-assisted grade'}
          </Attribution>
        </LargeScore>
      )}
      {points && <p className={classes.points}>{pointsInWords(points)}</p>}
      {assignment.adjusted && <ScoreSteps adjusted={assignment.adjusted} />}
      {open > 0 && (
        <p className={classes.open}>
          <strong>Not graded yet.</strong> Your instructor still has to grade {formatPoints(open)}{' '}
          {open === 1 ? 'point' : 'points'}. Your score appears once this is done.
        </p>
      )}
      {feedback && (
        <p className={classes.feedback}>
          {assignment.feedback_by === 'teacher' ? <TeacherIcon /> : <AiIcon />}
          <span>{feedback}</span>
        </p>
      )}
    </div>
  )
}

const releasedPoints = ({ criterion_grades }: StudentAssignment) =>
  finalPoints(criterion_grades.map(({ id, ...criterion }) => ({ ...criterion, criterion_id: String(id) })))
