import { pointsInWords } from '@assay/shared/rules/points.ts'
import type { StudentAssignment } from '@assay/shared/students.ts'
import { AiIcon, Attribution, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { MathText } from '../../../components/math/MathText.tsx'
import { formatPoints } from '../../../lib/format.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import { ScoreSteps } from '../../grades/score-rules/AdjustedScoreLine.tsx'
import classes from './ReleasedGrade.module.css'

export function ReleasedGrade({ assignment }: { assignment: StudentAssignment }) {
  const { overall_score: score, grade_feedback: feedback, reviewed_by_teacher: reviewed } = assignment
  const { points, unscored_points: open } = assignment
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
          <span>
            <MathText>{feedback}</MathText>
          </span>
        </p>
      )}
    </div>
  )
}
