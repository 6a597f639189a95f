import { processAssignment } from '@assay/shared/runs.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { TrayDrawing } from '../../../components/drawings.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { Notice } from '../../../components/Notice.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { useSend } from '../../../lib/api.ts'
import classes from './NoGradeSide.module.css'
import { Sheet } from './Sheet.tsx'
import { isAtWork } from './useSubmissionEvents.ts'

const workWords: Partial<Record<Submission['status'], string>> = {
  queued: 'Waiting for its turn',
  reading: 'Reading the paper',
  grading: 'Grading the answers',
}

/** Beside a paper without a grade: why there is none, and how there will be one. */
export function NoGradeSide({
  submission,
  reload,
  showHistory,
}: {
  submission: Submission
  reload: () => Promise<unknown>
  showHistory: () => void
}) {
  const [open, setOpen] = useState(true)
  const status = submission.status === 'failed' ? 'failed' : isAtWork(submission) ? 'working' : 'pending'
  return (
    <Sheet
      label="Grade"
      open={open}
      setOpen={setOpen}
      edge={<StatusMark status={status}>{status === 'pending' ? 'No grade yet' : undefined}</StatusMark>}
    >
      <div className={classes.root}>
        <Why submission={submission} reload={reload} />
        <Button variant="subtle" size="compact-sm" className={classes.history} onClick={showHistory}>
          What happened to this paper
        </Button>
      </div>
    </Sheet>
  )
}

function Why({ submission, reload }: { submission: Submission; reload: () => Promise<unknown> }) {
  if (isAtWork(submission)) {
    return (
      <div className={classes.work} role="status">
        <Loader size="sm" />
        <div>
          <strong>{workWords[submission.status]}</strong>
          <p>The grade appears here by itself.</p>
        </div>
      </div>
    )
  }
  if (submission.status === 'failed') {
    return (
      <Notice tone="bad" title="This paper could not be graded">
        <p className={classes.reason}>{submission.failure?.message ?? 'Something went wrong on our side.'}</p>
        <GradeThis submission={submission} reload={reload} word="Retry" />
      </Notice>
    )
  }
  return (
    <EmptyState
      drawing={<TrayDrawing />}
      title="No Grade Available"
      action={<GradeThis submission={submission} reload={reload} word="Grade this paper" />}
    >
      This submission hasn't been graded yet. Process the assignment to generate grades.
    </EmptyState>
  )
}

interface GradeThisProps {
  submission: Submission
  reload: () => Promise<unknown>
  word: string
}

function GradeThis({ submission, reload, word }: GradeThisProps) {
  const process = useSend(processAssignment)
  async function start() {
    try {
      await process.send({
        params: { assignmentId: submission.assignment_id },
        body: { submission_ids: [submission.id] },
      })
      await reload()
    } catch {
      // Shown below.
    }
  }
  return (
    <div className={classes.start}>
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        onClick={() => void start()}
        loading={process.sending}
      >
        {word}
      </Button>
      {process.error && (
        <Notice tone="bad" title="Failed to start processing.">
          {process.error.message}
        </Notice>
      )}
    </div>
  )
}
