import { getAssignment } from '@assay/shared/assignments.ts'
import { setHandInTimes } from '@assay/shared/score-rules.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { fromLocalInput, timeZone, toLocalInput } from '../../../lib/local-time.ts'
import { toast } from '../../../lib/toast.ts'

interface Props {
  assignmentId: number
  submissionIds: readonly number[]
  /** Of a single paper. */
  now: Pick<SubmissionRow, 'said_hand_in' | 'created_at'> | undefined
  close: () => void
  saved: () => void
}

type Choice = 'time' | 'on_time' | 'unknown'

/** For papers a teacher uploaded: nobody else knows when those were handed in. */
export function HandInTimeModal({ assignmentId, submissionIds, now, close, saved }: Props) {
  const assignment = useGet(getAssignment, { assignmentId }).data
  const saying = useSend(setHandInTimes)
  const [choice, setChoice] = useState<Choice>(now?.said_hand_in ?? 'time')
  const [time, setTime] = useState(toLocalInput(now?.created_at ?? null))
  const at = choice === 'time' ? fromLocalInput(time) : choice === 'on_time' ? choice : null
  const count = submissionIds.length

  async function save() {
    const body = { submission_ids: [...submissionIds], at }
    const { changed, left_out } = await saying.send({ params: { assignmentId }, body })
    if (changed > 0) toast.success(`Hand-in time saved for ${plural(changed, 'paper')}.`)
    if (left_out > 0)
      toast.info(`${plural(left_out, 'paper')} left out: the student handed it in here, so its time is known.`)
    saved()
  }

  return (
    <ConfirmModal
      opened
      close={close}
      title={count === 1 ? 'When was this paper handed in?' : `When were these ${plural(count, 'paper')} handed in?`}
      confirmLabel="Save"
      disabled={choice === 'time' && at === null}
      onConfirm={save}
    >
      <Radio.Group
        aria-label="Handed in"
        value={choice}
        onChange={(value) => setChoice(value === 'time' || value === 'on_time' ? value : 'unknown')}
      >
        <Radio value="time" label="At this time" />
        <Radio value="on_time" label="On time" mt="xs" />
        <Radio value="unknown" label="Not known: only when it was uploaded" mt="xs" />
      </Radio.Group>
      {choice === 'time' && (
        <TextInput
          type="datetime-local"
          label="Handed in"
          required
          max={toLocalInput(new Date().toISOString())}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      )}
      {assignment && (
        <p className="dim">
          {assignment.due_at ? `Due ${formatDateTime(assignment.due_at)}. ` : 'This assignment has no due date. '}
          {assignment.due_at && assignment.late_rule !== 'mark_late' && 'Late papers are not marked. '}
          Your time zone: {timeZone().replaceAll('_', ' ')}.
          {assignment.status === 'published' && ' Students see the time, and what it changes of their score, at once.'}
        </p>
      )}
    </ConfirmModal>
  )
}
