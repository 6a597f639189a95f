import type { StudentAssignment } from '@assay/shared/students.ts'
import { AiMark, SaidBy, TeacherMark } from '../../components/SaidBy.tsx'
import { BigScore } from '../grades/BigScore.tsx'
import classes from './ReleasedGrade.module.css'

/** The score and the words that came with it, with the mark of who gave them. */
export function ReleasedGrade({ assignment }: { assignment: StudentAssignment }) {
  const { overall_score: score, grade_feedback: feedback, reviewed_by_teacher: reviewed } = assignment
  return (
    <div className={classes.root}>
      {score !== null && (
        <BigScore score={score} size="md">
          <SaidBy who={reviewed ? 'teacher' : 'ai'}>
            {reviewed ? 'reviewed by your instructor' : 'graded with AI'}
          </SaidBy>
        </BigScore>
      )}
      {feedback && (
        <p className={classes.feedback}>
          {assignment.feedback_by === 'teacher' ? <TeacherMark /> : <AiMark />}
          <span>{feedback}</span>
        </p>
      )}
    </div>
  )
}
