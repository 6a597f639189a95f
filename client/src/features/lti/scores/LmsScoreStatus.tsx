import type { LmsScore } from '@assay/shared/lti/lti-scores.ts'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudCheck, IconCloudOff, IconCloudUp } from '@tabler/icons-react'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './LmsScoreStatus.module.css'
import { briefScoreMessage, nextRetryMessage, scoreMessage } from './score-messages.ts'

const icons = {
  waiting: IconCloudUp,
  sending: IconCloudUp,
  sent: IconCloudCheck,
  refused: IconAlertTriangle,
  off: IconCloudOff,
} as const

interface Props {
  scores: readonly LmsScore[] | undefined
  /** Whose, for the button's name. */
  of: string
  sendAgain: () => Promise<void>
  sending: boolean
  /** In a list. */
  brief?: boolean
}

/** Whether a student's score is in the LMS; where it is not, why, and Send again. */
export function LmsScoreStatus({ scores = [], of, sendAgain, sending, brief = false }: Props) {
  if (scores.length === 0) return null
  const stuck = scores.some(({ state, reason }) => state === 'refused' || (state === 'waiting' && reason))
  return (
    <div className={classes.root}>
      {scores.map((score) => (
        <ScoreStatusLine key={score.link_id} score={score} several={scores.length > 1} brief={brief} />
      ))}
      {stuck && (
        <Button
          variant="subtle"
          className={classes.again}
          loading={sending}
          aria-label={`Resend the score of ${of}`}
          onClick={() => void sendAgain()}
        >
          Resend
        </Button>
      )}
    </div>
  )
}

function ScoreStatusLine({ score, several, brief }: { score: LmsScore; several: boolean; brief: boolean }) {
  const { state, recorded, platform_name, course_title, reason } = score
  const Icon = icons[state]
  const at = recorded ? `In ${platform_name} since ${formatDateTime(recorded.at)}` : undefined
  return (
    <>
      <span className={classes.mark} data-state={state} title={at}>
        <Icon size={15} aria-hidden />
        {brief ? briefScoreMessage(score) : scoreMessage(score)}
        {several && ` (${course_title ?? platform_name})`}
      </span>
      {reason && (
        <span className={classes.why}>
          {reason} {nextRetryMessage(score.next_try_at)}
        </span>
      )}
    </>
  )
}
