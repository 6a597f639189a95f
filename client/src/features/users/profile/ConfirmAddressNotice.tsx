import { resendConfirmation } from '@assay/shared/auth.ts'
import { useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'

export function ConfirmAddressNotice({ email }: { email: string }) {
  const { attempt, sending, error } = useSend(resendConfirmation)
  const [message, setMessage] = useState<string>()
  const resend = async () => setMessage((await attempt({}))?.message)
  return (
    <Notice
      actions={
        <SecondaryButton loading={sending} onClick={() => void resend()}>
          Resend the link
        </SecondaryButton>
      }
    >
      Confirm your email address to receive papers sent to it. We emailed a link to {email}.
      <span role="status">{message && !error ? ` ${message}` : ''}</span>
      {error && <span role="alert"> {messageOf(error, 'The link could not be sent. Please try again.')}</span>}
    </Notice>
  )
}
