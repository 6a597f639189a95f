import { detachLmsLink, type LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './LmsScoresSummary.module.css'
import type { LmsScoresState } from './useLmsScores.ts'

interface Props {
  link: LmsScoresOfLink
  label: string
  lms: LmsScoresState
}

/** Detaches an activity that is gone from the LMS, once its teacher has confirmed it. */
export function DetachLink({ link, label, lms }: Props) {
  const [asking, setAsking] = useState(false)
  const { send } = useSend(detachLmsLink)
  const { name } = link.platform

  async function detach() {
    await send({ params: { assignmentId: lms.assignmentId, linkId: link.link_id } })
    toast.success('Activity detached.')
    lms.refresh()
  }

  return (
    <>
      <Button
        variant="subtle"
        className={classes.again}
        aria-label={`Detach activity: ${label}`}
        onClick={() => setAsking(true)}
      >
        Detach activity
      </Button>
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Detach this activity?"
        confirmLabel="Detach activity"
        onConfirm={detach}
      >
        <p>
          <strong>{label}</strong> no longer counts for this assignment. Papers and grades in Assay stay, and so does
          what {name} has.
        </p>
        <p>If somebody opens the activity from {name} again, it is attached again and gets its scores.</p>
      </ConfirmModal>
    </>
  )
}
