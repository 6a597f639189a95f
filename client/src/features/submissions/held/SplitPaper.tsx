import { type Submission, splitPaper } from '@assay/shared/submissions.ts'
import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './HeldPaper.module.css'

interface Props {
  submission: Submission
  /** Both papers' ids. */
  split: (submissionIds: number[]) => Promise<unknown>
}

/** Two papers of a file with those of two students. */
export function SplitPaper({ submission, split }: Props) {
  const { assignment_id: assignmentId, id: submissionId, page_count, problems = [] } = submission
  const found = problems.find(({ code }) => code === 'two_students')?.second_begins_on
  const [page, setPage] = useState<number | string>(found ?? '')
  const send = useSend(splitPaper)
  const last = page_count ?? Number.POSITIVE_INFINITY
  if (last < 2) return null

  async function makeTwo() {
    try {
      const body = { second_begins_on: Number(page) }
      const { second } = await send.send({ params: { assignmentId, submissionId }, body })
      toast.success(`Split into two papers. The second one is submission #${second.id}.`)
      await split([submissionId, second.id])
    } catch {
      // Shown below.
    }
  }

  return (
    <form
      className={classes.split}
      onSubmit={(event) => {
        event.preventDefault()
        void makeTwo()
      }}
    >
      <NumberInput
        label="The second paper begins on page"
        className={classes.page}
        min={2}
        max={last}
        allowDecimal={false}
        clampBehavior="strict"
        value={page}
        onChange={setPage}
      />
      <Button type="submit" loading={send.sending} disabled={page === ''}>
        Split into two papers
      </Button>
      {send.error && <p role="alert">{send.error.message}</p>}
    </form>
  )
}
