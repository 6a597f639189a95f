import { getRosterJob, type RosterJob, stopRosterJob } from '@assay/shared/roster.ts'
import { Button, Progress } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { BulkResults, failedRowsSummary, processedSummary } from './BulkResults.tsx'
import classes from './RosterPage.module.css'

const POLL_INTERVAL_MS = 1000

/** Progress of a long file; the import continues in the background. */
export function RosterJobProgress({ ids, changed }: { ids: { courseId: number; jobId: number }; changed: () => void }) {
  const [ended, setEnded] = useState(false)
  const job = useGet(getRosterJob, ids, undefined, { refreshIntervalMs: ended ? 0 : POLL_INTERVAL_MS })
  const stop = useSend(stopRosterJob)
  const over = job.data !== undefined && job.data.state !== 'running'
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    setEnded(over)
    if (over) tell.current()
  }, [over])

  if (!job.data) return job.error ? <LoadError error={job.error} retry={job.reload} /> : null
  const { total_rows, total_processed, results } = job.data
  return (
    <div className={classes.form}>
      {over ? (
        <Notice tone={job.data.state === 'done' ? 'note' : 'warn'}>{endMessage(job.data)}</Notice>
      ) : (
        <>
          <Progress
            value={total_rows > 0 ? (100 * total_processed) / total_rows : 0}
            aria-label={`Adding the students of ${job.data.file_name}`}
          />
          <div className={classes.buttons}>
            <p className={classes.hint}>
              {formatCount(total_processed)} of {formatCount(total_rows)} rows. You can leave this page; the upload
              continues.
            </p>
            <Button
              variant="default"
              loading={stop.sending}
              onClick={() =>
                void stop
                  .send({ params: ids })
                  .then(() => job.reload())
                  .catch((error) => toast.error(messageOf(error, 'The upload could not be stopped.')))
              }
            >
              Stop
            </Button>
          </div>
        </>
      )}
      {results.length > 0 && <p className={classes.hint}>{failedRowsSummary(results.length)}</p>}
      <BulkResults results={results} />
    </div>
  )
}

function endMessage(job: RosterJob): string {
  if (job.state === 'stopped') return `Stopped. ${processedSummary(job)} Students already enrolled stay enrolled.`
  if (job.state === 'failed')
    return `The upload was interrupted. ${processedSummary(job)} Upload the file again; no one is enrolled twice.`
  return processedSummary(job)
}
