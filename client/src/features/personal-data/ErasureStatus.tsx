import { type ErasureProgress, previewErasure } from '@assay/shared/personal-data.ts'
import { Button, Progress } from '@mantine/core'
import { useEffect } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { useGet, useRevalidate } from '../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../lib/format.ts'
import classes from './PersonalData.module.css'

const POLL_MS = 1000
/** While it waits for minutes. */
const WAITING_POLL_MS = 10_000

interface Props {
  userId: number
  progress: ErasureProgress
  /** Goes on with one that has failed. */
  resume: () => void
  resuming: boolean
}

/** How far the deletion of an account has come. */
export function ErasureStatus({ userId, progress, resume, resuming }: Props) {
  if (progress.state === 'running') return <Running userId={userId} progress={progress} />
  if (progress.state === 'failed') {
    return (
      <Notice
        tone="bad"
        title="The account is not deleted completely yet"
        actions={
          <Button size="xs" variant="default" loading={resuming} onClick={resume}>
            Continue deleting
          </Button>
        }
      >
        It stopped at “{progress.doing}”. The account is closed, and what was deleted is gone. The server’s log says
        what went wrong.
      </Notice>
    )
  }
  return <Done progress={progress} />
}

function Running({ userId, progress }: { userId: number; progress: ErasureProgress }) {
  const { doing, done, total, waiting } = progress
  // The same data as the dialog's, asked for again while this is on the screen.
  useGet(previewErasure, { userId }, undefined, { refreshIntervalMs: waiting ? WAITING_POLL_MS : POLL_MS })
  return (
    <div className={classes.progress}>
      <div className={classes.steps} role="status">
        <strong>{doing}</strong>
        <span className={classes.count}>
          Step {Math.min(done + 1, total)} of {total}
        </span>
      </div>
      <Progress value={(100 * done) / total} aria-label="Steps that are done" />
      <p>You can close this window. Deleting goes on, also after a restart of the server.</p>
    </div>
  )
}

function Done({ progress: { finished_at, placeholder } }: { progress: ErasureProgress }) {
  const refresh = useRevalidate()
  // The account has another name in the list now.
  useEffect(() => void refresh('/admin'), [refresh])
  return (
    <div role="status">
      <Notice title="The account is deleted">
        {finished_at && `Completed on ${formatDateTime(finished_at)}. `}What the school keeps is under “{placeholder}”.
      </Notice>
    </div>
  )
}
