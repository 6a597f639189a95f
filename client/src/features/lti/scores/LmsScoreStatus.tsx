import { ActionIcon, Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudCheck, IconCloudOff, IconCloudUp, IconRefresh } from '@tabler/icons-react'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './LmsScoreStatus.module.css'
import { needsAttention, nextRetryMessage, scoreMessage, sentBeforeMessage } from './score-messages.ts'
import type { PlacedScore } from './useLmsScores.ts'

const icons = {
  waiting: IconCloudUp,
  sending: IconCloudUp,
  sent: IconCloudCheck,
  refused: IconAlertTriangle,
  off: IconCloudOff,
} as const

interface Props {
  scores: readonly PlacedScore[] | undefined
  of: string
  sendAgain: () => Promise<void>
  sending: boolean
  brief?: boolean
}

export function LmsScoreStatus({ scores = [], of, sendAgain, sending, brief = false }: Props) {
  if (scores.length === 0) return null
  const stuck = scores.some(needsAttention)
  const possible = stuck || scores.some(({ state, cleared }) => state === 'sent' && !cleared)
  return (
    <div className={classes.root} data-quiet={(possible && brief && !stuck) || undefined}>
      {scores.map((score) => (
        <ScoreStatusLine key={score.link_id} score={score} brief={brief} />
      ))}
      {possible && (!brief || stuck) && (
        <Button
          variant="subtle"
          className={classes.again}
          loading={sending}
          aria-label={`Send again: the score of ${of}`}
          onClick={() => void sendAgain()}
        >
          Send again
        </Button>
      )}
      {possible && brief && !stuck && (
        <ActionIcon
          variant="subtle"
          className={classes.quiet}
          loading={sending}
          title="Send again"
          aria-label={`Send again: the score of ${of}`}
          onClick={() => void sendAgain()}
        >
          <IconRefresh size={15} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

function ScoreStatusLine({ score, brief }: { score: PlacedScore; brief: boolean }) {
  const { state, recorded, platform_name, place, reason } = score
  const other = sentBeforeMessage(score)
  const Icon = other ? IconAlertTriangle : icons[state]
  const at = recorded ? `Sent to ${platform_name} ${formatDateTime(recorded.at)}` : undefined
  return (
    <>
      <span className={classes.mark} data-state={other ? 'other' : state} title={at}>
        <Icon size={15} aria-hidden />
        {scoreMessage(score, brief)}
        {place && ` (${place})`}
      </span>
      {other && <span className={classes.why}>{other}</span>}
      {reason && (
        <span className={classes.why}>
          {reason} {nextRetryMessage(score.next_try_at)}
        </span>
      )}
    </>
  )
}
