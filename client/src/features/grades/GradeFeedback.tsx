import type { Grade } from '@assay/shared/grades.ts'
import type { ReactNode } from 'react'
import { AiIcon, TeacherIcon } from '../../components/display/Attribution.tsx'
import classes from './GradeFeedback.module.css'

/** The words of the whole: the AI's, and the teacher's where there are some. */
export function GradeFeedback({ grade }: { grade: Grade }) {
  return (
    <div className={classes.root}>
      {grade.manual_feedback && (
        <FeedbackText title="Manual feedback" mark={<TeacherIcon />} note="Students see this instead of the summary.">
          {grade.manual_feedback}
        </FeedbackText>
      )}
      <FeedbackText title="Summary feedback" mark={<AiIcon />}>
        {grade.llm_summary_feedback || 'None.'}
      </FeedbackText>
    </div>
  )
}

interface FeedbackTextProps {
  title: string
  mark: ReactNode
  note?: string
  children: string
}

function FeedbackText({ title, mark, note, children }: FeedbackTextProps) {
  return (
    <section>
      <h3 className={classes.title}>
        {title} {mark}
      </h3>
      <p className={classes.text}>{children}</p>
      {note && <p className={classes.note}>{note}</p>}
    </section>
  )
}
