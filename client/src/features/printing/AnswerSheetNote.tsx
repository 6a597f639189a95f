import { type AnswerSheetQuestions, getAnswerSheetQuestions, type LeftOutReason } from '@assay/shared/printing.ts'
import { Skeleton } from '@mantine/core'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import classes from './PrintModal.module.css'

/** Which questions an answer sheet has, and which it leaves out. */
export function AnswerSheetNote({ assignmentId }: { assignmentId: number }) {
  const sheet = useGet(getAnswerSheetQuestions, { assignmentId })
  if (sheet.data) {
    const { questions, left_out, digits, versions } = sheet.data
    return (
      <div className={classes.note}>
        {questions.length === 0 ? (
          <Notice tone="warn">
            The rubric has no choice question with 2 to 6 options and no true-or-false question yet, so there is nothing
            to put on an answer sheet.
          </Notice>
        ) : (
          <p className={classes.words}>
            Circles for {plural(questions.length, 'question')}. A sheet and the student’s paper, scanned together,
            become one paper. Marks that are not plain are left for you.
          </p>
        )}
        {questions.length > 0 && versions && (
          <p className={classes.words}>
            Each sheet also has circles for the version of the paper, A to D. Tell students to fill in theirs.
          </p>
        )}
        {left_out.length > 0 && <LeftOut questions={left_out} />}
        {questions.length > 0 && digits === 0 && (
          <p className={classes.words}>
            The roster has no student numbers in digits, so spare sheets have a line for the name alone.
          </p>
        )}
      </div>
    )
  }
  if (sheet.error) return <LoadError error={sheet.error} retry={sheet.reload} />
  return <Skeleton height={40} />
}

const reasons: [LeftOutReason, string][] = [
  ['options', 'without 2 to 6 options that could be read'],
  ['several', 'with more than one right option, where a sheet asks for one circle'],
  ['label', 'with a number too long to print beside the circles'],
]

function LeftOut({ questions }: { questions: AnswerSheetQuestions['left_out'] }) {
  return (
    <Notice tone="warn">
      {reasons.map(([reason, words]) => {
        const own = questions.filter(({ why }) => why === reason)
        if (own.length === 0) return null
        return (
          <p key={reason} className={classes.words}>
            Not on the sheet: {plural(own.length, 'question')} {words} ({own.map(({ number }) => number).join(', ')}).
          </p>
        )
      })}
    </Notice>
  )
}
