import type { RegradeRequest } from '@assay/shared/regrades.ts'
import {
  type AmendmentKind,
  getAmendment,
  type RubricAmendment,
  stopAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { Button, Modal, Progress } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { AmendmentWords } from './AmendmentWords.tsx'
import classes from './amendments.module.css'
import { appliedWords, undoneWords } from './applied-words.ts'
import { LikeAnswers } from './LikeAnswers.tsx'

const POLL_INTERVAL_MS = 1000

interface Props {
  assignmentId: number
  request: RegradeRequest
  kind: AmendmentKind
  /** Of one begun earlier. */
  amendmentId: number | null
  changed: () => void
  close: () => void
}

/** The words, then the answers they would change, then the change itself. Closing leaves what is under way as it is. */
export function AmendmentModal({ assignmentId, request, kind, amendmentId, changed, close }: Props) {
  const [id, setId] = useState(amendmentId)
  const title = kind === 'alternative' ? 'Accept this answer for everyone' : 'Clarify the rubric'
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={<span className={classes.heading}>{title}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {id === null ? (
        <AmendmentWords assignmentId={assignmentId} request={request} kind={kind} started={setId} cancel={close} />
      ) : (
        <AmendmentSteps ids={{ assignmentId, amendmentId: id }} changed={changed} close={close} />
      )}
    </Modal>
  )
}

interface StepsProps {
  ids: { assignmentId: number; amendmentId: number }
  changed: () => void
  close: () => void
}

function AmendmentSteps({ ids, changed, close }: StepsProps) {
  const [working, setWorking] = useState(true)
  const amendment = useGet(getAmendment, ids, undefined, { refreshIntervalMs: working ? POLL_INTERVAL_MS : 0 })
  const state = amendment.data?.state
  const isWorking = state === undefined || state === 'computing' || state === 'applying' || state === 'undoing'
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    setWorking(isWorking)
    if (state === 'applied') tell.current()
  }, [isWorking, state])

  if (!amendment.data)
    return amendment.error ? (
      <LoadError error={amendment.error} retry={amendment.reload} title="Error Loading Answers" />
    ) : (
      <p role="status">Loading the answers…</p>
    )
  const { data } = amendment
  if (isWorking) return <UnderWay amendment={data} ids={ids} close={close} />
  if (state === 'ready')
    return (
      <LikeAnswers
        ids={ids}
        amendment={data}
        applied={() => {
          setWorking(true)
          void amendment.reload()
        }}
        close={close}
      />
    )
  return (
    <div className={classes.step}>
      {state === 'applied' ? (
        <p role="status">{appliedWords(data)} Students whose points changed see why.</p>
      ) : (
        <Notice tone="warn">
          {data.failure ?? (state === 'undone' ? undoneWords(data) : 'This was discarded. Nothing was changed.')}
        </Notice>
      )}
      <div className={classes.actions}>
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      </div>
    </div>
  )
}

function UnderWay({
  amendment,
  ids,
  close,
}: {
  amendment: RubricAmendment
  ids: StepsProps['ids']
  close: () => void
}) {
  const stop = useSend(stopAmendment)
  const { state, progress } = amendment
  const computing = state === 'computing'
  return (
    <div className={classes.step}>
      <p role="status">{computing ? 'Looking for like answers' : 'Changing the points'}</p>
      <Progress
        value={progress.total > 0 ? (100 * progress.done) / progress.total : 0}
        aria-label={computing ? 'Looking for like answers' : 'Changing the points'}
      />
      <p className={classes.hint}>
        {progress.total > 0 && `${formatCount(progress.done)} of ${formatCount(progress.total)} papers. `}
        {computing ? 'Nothing is changed yet. ' : ''}You can close this; it continues.
      </p>
      <div className={classes.actions}>
        {computing && (
          <Button
            variant="default"
            loading={stop.sending}
            onClick={() =>
              void stop
                .send({ params: ids })
                .then(close)
                .catch((error) => toast.error(messageOf(error, 'It could not be stopped.')))
            }
          >
            Stop
          </Button>
        )}
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </div>
    </div>
  )
}
