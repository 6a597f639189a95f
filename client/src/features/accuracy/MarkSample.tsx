import { type AccuracyCheck, getBlindAnswer } from '@assay/shared/accuracy-checks.ts'
import { Progress } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import classes from './accuracy.module.css'
import { BlindAnswerForm } from './BlindAnswerForm.tsx'

interface Props {
  assignmentId: number
  check: AccuracyCheck
  changed: (check: AccuracyCheck) => void
}

/** One answer of the sample after the other, from the first that is open. */
export function MarkSample({ assignmentId, check, changed }: Props) {
  const { answers } = check
  const isOpen = ({ state }: AccuracyCheck['answers'][number]) => state === 'open'
  const [position, setPosition] = useState(() => answers.find(isOpen)?.position ?? 1)
  const answer = useGet(getBlindAnswer, { assignmentId, position })
  const done = answers.filter((one) => !isOpen(one)).length

  function marked(next: AccuracyCheck) {
    const open = next.answers.filter(isOpen)
    const following = open.find((one) => one.position > position) ?? open[0]
    if (following) setPosition(following.position)
    changed(next)
  }

  return (
    <section aria-label="Mark the sample">
      <div className={classes.progress}>
        <span>
          <strong>Answer {position}</strong> of {answers.length}
        </span>
        <span className={classes.dim}>{done} done</span>
      </div>
      <Progress value={(100 * done) / answers.length} aria-label="Answers done" size="sm" mb="md" />
      {answer.data?.position === position ? (
        <BlindAnswerForm
          key={position}
          assignmentId={assignmentId}
          checkId={check.id}
          answer={answer.data}
          marked={marked}
          back={position > 1 ? () => setPosition(position - 1) : null}
        />
      ) : answer.error ? (
        <LoadError error={answer.error} retry={answer.reload} title="Error Loading the Answer" />
      ) : (
        <RowSkeletons count={3} label="Loading the answer" />
      )}
    </section>
  )
}
