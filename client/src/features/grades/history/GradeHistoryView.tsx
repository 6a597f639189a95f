import { type GradeHistory, getGradeHistory } from '@assay/shared/grade-history.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { saveBlob } from '../../../lib/files/save-blob.ts'
import { formatDateTime, formatPercent } from '../../../lib/format.ts'
import classes from './GradeHistory.module.css'
import { HistoryEvent } from './HistoryEvent.tsx'
import { historyEventsOf } from './history-events.ts'
import { llmCostText } from './llm-call-messages.ts'

export function GradeHistoryView({ ids }: { ids: { assignmentId: number; submissionId: number } }) {
  const history = useGet(getGradeHistory, ids)
  if (history.data) return <LoadedHistory history={history.data} />
  if (history.error)
    return <LoadError error={history.error} retry={history.reload} title="Failed to Load the History" />
  return <RowSkeletons count={4} label="Loading the history" />
}

function LoadedHistory({ history }: { history: GradeHistory }) {
  const { paper, submission_id, calls, final_score } = history
  const events = historyEventsOf(history)
  return (
    <div className={classes.root}>
      <p className={classes.about}>
        {paper.file_name}, handed in {formatDateTime(paper.handed_in_at)}.{' '}
        {final_score === null ? (
          'It has no grade yet. '
        ) : (
          <>
            The grade is <strong>{formatPercent(final_score)}</strong> now.{' '}
          </>
        )}
        {calls.length > 0 ? llmCostText(history.cost) : 'No AI model was used. This paper never left the server.'}
      </p>
      {events.length > 0 && (
        <ol className={classes.events}>
          {events.map((event) => (
            <HistoryEvent key={event.key} event={event} history={history} />
          ))}
        </ol>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        className={classes.save}
        onClick={() =>
          saveBlob(
            new Blob([JSON.stringify(history, null, 2)], { type: 'application/json' }),
            `submission_${submission_id}_history.json`,
          )
        }
      >
        Save as JSON
      </Button>
    </div>
  )
}
