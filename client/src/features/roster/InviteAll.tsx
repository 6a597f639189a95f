import { getInvitationLimit, inviteRoster } from '@assay/shared/roster.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { ApiError, asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../lib/format.ts'
import type { RosterMessage } from './roster-message.ts'

interface Props {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  changed: () => void
}

/** Nothing once everybody is invited. */
export function InviteAll({ courseId, showMessage, changed }: Props) {
  const limit = useGet(getInvitationLimit, { courseId })
  const sending = useSend(inviteRoster)
  const [asking, setAsking] = useState(false)
  const waiting = limit.data?.not_invited ?? 0
  const today = Math.min(waiting, limit.data?.left ?? 0)

  async function invite() {
    showMessage(null)
    try {
      const { success, message } = await sending.send({ params: { courseId } })
      showMessage({ tone: success ? 'note' : 'bad', text: message })
    } catch (cause) {
      const error = asApiError(cause)
      const detail = messageOf(error, 'The invitations could not be sent.')
      throw new ApiError(error.status, { ...error.reply, detail })
    }
    changed()
  }

  return (
    <>
      {waiting > 0 && (
        <Button variant="default" loading={sending.sending} onClick={() => setAsking(true)}>
          Invite all not yet invited ({formatCount(waiting)})
        </Button>
      )}
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title={`Invite ${plural(waiting, 'student')}?`}
        confirmLabel={`Send ${plural(today, 'invitation')}`}
        disabled={today === 0}
        onConfirm={invite}
      >
        <p>Each student gets an email with a link to set a password for their account.</p>
        {today < waiting && (
          <p>
            You can send {formatCount(today)} of these invitations today. Invite the other{' '}
            {plural(waiting - today, 'student')} tomorrow, or ask your administrator for a higher limit.
          </p>
        )}
      </ConfirmModal>
    </>
  )
}
