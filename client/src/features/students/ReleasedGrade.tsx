import { gradeBand, letterGrade } from '@assay/shared/rules/letters.ts'
import type { StudentAssignment } from '@assay/shared/students.ts'
import { AiMark, SaidBy, TeacherMark } from '../../components/SaidBy.tsx'
import { formatPercent } from '../../lib/format.ts'
import { bandWords } from '../grades/grade-words.ts'
import classes from './ReleasedGrade.module.css'

/** The score and the words that came with it, with the mark of who gave them. */
export function ReleasedGrade({ assignment }: { assignment: StudentAssignment }) {
  const { overall_score: score, grade_feedback: feedback, reviewed_by_teacher: reviewed } = assignment
  return (
    <div className={classes.root}>
      {score !== null && (
        <p className={classes.score}>
          <span className={classes.percent} data-band={gradeBand(score)}>
            {formatPercent(score)}
          </span>
          <span className={classes.letter}>{letterGrade(score)}</span>
          <span className={classes.band}>{bandWords[gradeBand(score)]}</span>
          <SaidBy who={reviewed ? 'teacher' : 'ai'}>
            {reviewed ? 'reviewed by your instructor' : 'graded with AI'}
          </SaidBy>
        </p>
      )}
      {feedback && (
        <p className={classes.feedback}>
          {reviewed ? <TeacherMark /> : <AiMark />}
          <span>{feedback}</span>
        </p>
      )}
    </div>
  )
}
