import { processAssignment } from '@assay/shared/runs.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { EmptyTrayIllustration } from '../../../components/feedback/illustrations.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { HeldBadge } from '../held/HeldBadge.tsx'
import { HeldPaper } from '../held/HeldPaper.tsx'
import { isHeld } from '../list/row-status.ts'
import classes from './NoGradePanel.module.css'
import { SideSheet } from './SideSheet.tsx'
import { isInProgress } from './useSubmissionEvents.ts'

const statusLabels: Partial<Record<Submission['status'], string>> = {
  queued: 'Queued',
  reading: 'Reading the paper',
  grading: 'Grading the answers',
}

/** Beside a paper without a grade: why there is none, and how there will be one. */
export function NoGradePanel({
  submission,
  reload,
  showHistory,
}: {
  submission: Submission
  reload: () => Promise<unknown>
  showHistory: () => void
}) {
  const [open, setOpen] = useState(true)
  const status = submission.status === 'failed' ? 'failed' : isInProgress(submission) ? 'working' : 'pending'
  return (
    <SideSheet
      label="Grade"
      open={open}
      setOpen={setOpen}
      edge={
        isHeld(submission) ? (
          <HeldBadge />
        ) : (
          <StatusBadge status={status}>{status === 'pending' ? 'No grade yet' : undefined}</StatusBadge>
        )
      }
    >
      <div className={classes.root}>
        <NoGradeReason submission={submission} reload={reload} />
        <Button variant="subtle" size="compact-sm" className={classes.history} onClick={showHistory}>
          Paper history
        </Button>
      </div>
    </SideSheet>
  )
}

function NoGradeReason({ submission, reload }: { submission: Submission; reload: () => Promise<unknown> }) {
  if (isInProgress(submission)) {
    return (
      <div className={classes.work} role="status">
        <Loader size="sm" />
        <div>
          <strong>{statusLabels[submission.status]}</strong>
          <p>The grade will appear here automatically.</p>
        </div>
      </div>
    )
  }
  if (submission.status === 'failed') {
    return (
      <Notice tone="bad" title="This paper could not be graded">
        <p className={classes.reason}>{submission.failure?.message ?? 'Something went wrong on our side.'}</p>
        <GradePaperButton submission={submission} reload={reload} word="Retry" />
      </Notice>
    )
  }
  if (submission.held) return <HeldPaper submission={submission} reload={reload} />
  return (
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      title="No Grade Available"
      action={<GradePaperButton submission={submission} reload={reload} word="Grade this paper" />}
    >
      This submission hasn't been graded yet. Process the assignment to generate grades.
    </EmptyState>
  )
}

interface GradePaperButtonProps {
  submission: Submission
  reload: () => Promise<unknown>
  word: string
}

function GradePaperButton({ submission, reload, word }: GradePaperButtonProps) {
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
