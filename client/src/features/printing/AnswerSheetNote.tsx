import { getAnswerSheetQuestions } from '@assay/shared/printing.ts'
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
    const { questions, left_out, digits } = sheet.data
    if (questions.length === 0)
      return (
        <Notice tone="warn">
          The rubric has no true-or-false question, and no choice question with 2 to 6 options yet, so there is nothing
          to put on an answer sheet.
        </Notice>
      )
    return (
      <div className={classes.note}>
        <p className={classes.words}>
          Circles for {plural(questions.length, 'question')}. A sheet and the student’s paper, scanned together, become
          one paper. Marks that are not plain are left for you.
        </p>
        {left_out.length > 0 && (
          <Notice tone="warn">
            Not on the sheet, as {left_out.length === 1 ? 'it does' : 'they do'} not have 2 to 6 options with letters:{' '}
            {plural(left_out.length, 'question')} ({left_out.map(({ number }) => number).join(', ')}).
          </Notice>
        )}
        {digits === 0 && (
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
