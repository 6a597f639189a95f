import type { Grade } from '@assay/shared/grades.ts'
import type { ReactNode } from 'react'
import { AiMark, TeacherMark } from '../../components/SaidBy.tsx'
import classes from './GradeFeedback.module.css'

/** The words of the whole: the AI's, and the teacher's where there are some. */
export function GradeFeedback({ grade }: { grade: Grade }) {
  return (
    <div className={classes.root}>
      {grade.manual_feedback && (
        <Words
          title="Manual feedback"
          mark={<TeacherMark />}
          note="Students read this in place of the summary."
        >
          {grade.manual_feedback}
        </Words>
      )}
      <Words title="Summary feedback" mark={<AiMark />}>
        {grade.llm_summary_feedback || 'None.'}
      </Words>
    </div>
  )
}

interface WordsProps {
  title: string
  mark: ReactNode
  note?: string
  children: string
}

function Words({ title, mark, note, children }: WordsProps) {
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
