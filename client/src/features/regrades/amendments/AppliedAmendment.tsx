import { type RubricAmendment, undoAmendment } from '@assay/shared/rubric-amendments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import classes from './amendments.module.css'
import { appliedWords, undoneWords } from './applied-words.ts'

interface Props {
  assignmentId: number
  amendment: RubricAmendment
  undone: () => void
}

/** What was done for everyone, and the way back. */
export function AppliedAmendment({ assignmentId, amendment, undone }: Props) {
  const { state, kind, result, question } = amendment
  const [asking, setAsking] = useState(false)
  const undo = useSend(undoAmendment)
  if (state !== 'applied')
    return (
      <p className={classes.words} role="status">
        {state === 'undone'
          ? undoneWords(amendment)
          : state === 'undoing'
            ? 'The change to the rubric is being undone.'
            : 'The points are being changed.'}
      </p>
    )
  const changed = result?.changed ?? 0
  return (
    <>
      <p className={classes.words}>
        {appliedWords(amendment)} <Link to={`/assignments/${assignmentId}/rubric`}>Open the rubric</Link>{' '}
        <Button variant="subtle" size="compact-sm" className={classes.undo} onClick={() => setAsking(true)}>
          Undo
        </Button>
      </p>
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Undo this change to the rubric?"
        confirmLabel="Undo Change"
        onConfirm={async () => {
          await undo.send({ params: { assignmentId, amendmentId: amendment.id } })
          undone()
        }}
      >
        <p>
          {kind === 'alternative'
            ? `The answer is no longer accepted in question ${question.number}.`
            : `The clarification is removed from question ${question.number}.`}{' '}
          {changed > 0 &&
            `The ${plural(changed, 'answer')} that changed by it get back the points they had, unless somebody has changed them since. Students who see their points are told. `}
          What you granted to this student stays.
        </p>
      </ConfirmModal>
    </>
  )
}
