import { type GradeHistory, getGradeHistory } from '@assay/shared/grade-history.ts'
import { Button, Modal } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import confirm from '../../../components/ConfirmModal.module.css'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { RowSkeletons } from '../../../components/PageSkeleton.tsx'
import { useGet } from '../../../lib/api.ts'
import { formatMoment, formatPercent } from '../../../lib/format.ts'
import { saveBlob } from '../../../lib/save-blob.ts'
import classes from './GradeHistory.module.css'
import { HistoryEvent } from './HistoryEvent.tsx'
import { eventsOf } from './history-events.ts'
import { costInWords } from './history-words.ts'

interface Props {
  ids: { assignmentId: number; submissionId: number }
  opened: boolean
  close: () => void
}

/** How a grade came to be, for whoever has to answer for it. */
export function GradeHistoryModal({ ids, opened, close }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="xl"
      title={<span className={confirm.title}>How this grade came to be</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <History ids={ids} />
    </Modal>
  )
}

function History({ ids }: Pick<Props, 'ids'>) {
  const history = useGet(getGradeHistory, ids)
  if (history.data) return <Told history={history.data} />
  if (history.error)
    return <LoadFailed error={history.error} retry={history.reload} title="Failed to Load the History" />
  return <RowSkeletons count={4} label="Loading the history" />
}

function Told({ history }: { history: GradeHistory }) {
  const { paper, submission_id, calls, final_score } = history
  const events = eventsOf(history)
  return (
    <div className={classes.root}>
      <p className={classes.about}>
        {paper.file_name}, handed in {formatMoment(paper.handed_in_at)}.{' '}
        {final_score === null ? (
          'It has no grade yet. '
        ) : (
          <>
            The grade is <strong>{formatPercent(final_score)}</strong> now.{' '}
          </>
        )}
        {calls.length > 0
          ? costInWords(history.cost)
          : 'No model was asked: nothing of this paper left the server.'}
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
