import { type Run, type RunWait, retryRun } from '@assay/shared/runs.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime, formatDuration } from '../../../lib/format.ts'
import { useNow } from '../../../lib/hooks/useNow.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './RunBar.module.css'

interface Props {
  run: Run
  waiting: RunWait
  changed: (run: Run) => void
}

/** Why grading is paused, when it continues, and a button to retry now. */
export function WaitingForLlmNotice({ run, waiting, changed }: Props) {
  const tryNow = useSend(retryRun)
  const now = useNow(1000)
  /** How often it had been tried when somebody pressed the button. */
  const [pressedAt, setPressedAt] = useState<number | null>(null)
  const trying = pressedAt === waiting.tries

  async function again() {
    setPressedAt(waiting.tries)
    try {
      changed(await tryNow.send({ params: { assignmentId: run.assignment_id, runId: run.id } }))
    } catch (error) {
      setPressedAt(null)
      toast.error(messageOf(error, 'Could not retry now. Please try again.'))
    }
  }

  return (
    <div className={classes.waiting}>
      <Notice
        tone="warn"
        title={waiting.needs_settings ? 'Grading paused: change the settings to continue' : 'Waiting for the AI model'}
        actions={
          <Button variant="default" size="xs" loading={tryNow.sending || trying} onClick={() => void again()}>
            Try now
          </Button>
        }
      >
        {waiting.reason}
        <p className={classes.when}>
          {/* The result of the button is announced; the seconds are not. */}
          <span role="status">
            {trying && 'Contacting the AI model…'}
            {!trying && pressedAt !== null && 'Retried just now; it still fails. '}
          </span>
          {!trying && nextTryText(waiting.retry_at, now)} {waitingTimeText(waiting.since, now)}
        </p>
      </Notice>
    </div>
  )
}

function nextTryText(retryAt: string, now: number): string {
  const seconds = Math.ceil((Date.parse(retryAt) - now) / 1000)
  if (seconds <= 0) return 'Contacting the AI model…'
  if (seconds < 100) return `Next try in ${seconds} s.`
  if (seconds < 5400) return `Next try in ${Math.round(seconds / 60)} min.`
  return `Next try ${formatDateTime(retryAt)}.`
}

function waitingTimeText(since: string, now: number): string {
  const seconds = (now - Date.parse(since)) / 1000
  return seconds < 60 ? '' : `Waiting for ${formatDuration(seconds)}.`
}
