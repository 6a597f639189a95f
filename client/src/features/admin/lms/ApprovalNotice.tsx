import { approvePlatform, type Platform } from '@assay/shared/lti/lti-platforms.ts'
import { Button } from '@mantine/core'
import { Fragment } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'
import { needsApproval } from './lms-messages.ts'

const names = {
  issuer: 'Issuer',
  client_id: 'Client ID',
  auth_endpoint: 'Authentication URL',
  token_endpoint: 'Access token URL',
  token_audience: 'Audience',
  jwks_url: 'Key set URL',
} as const

export function ApprovalNotice({ platform, changed }: { platform: Platform; changed: (after: Platform) => void }) {
  const approve = useSend(approvePlatform)
  const refresh = useRevalidate()
  if (!needsApproval(platform)) return null

  async function send() {
    const approved = await approve.attempt({ params: { platformId: platform.id } })
    if (!approved) return
    changed(approved)
    toast.success(`${platform.name} is approved.`)
    void refresh('/admin')
  }

  const { proposed, status } = platform
  const shown = proposed ?? platform
  const fields = (Object.keys(names) as (keyof typeof names)[]).filter((field) =>
    proposed && status !== 'pending' ? proposed[field] !== platform[field] : shown[field],
  )
  return (
    <Notice
      tone="warn"
      title={status === 'pending' ? 'This LMS is waiting for your approval' : 'This LMS registered itself again'}
      actions={
        <>
          <Button loading={approve.sending} onClick={() => void send()}>
            {status === 'pending' ? 'Approve' : 'Use the new values'}
          </Button>
          {approve.error && (
            <span role="alert">{messageOf(approve.error, 'It could not be approved. Please try again.')}</span>
          )}
        </>
      }
    >
      {status === 'pending'
        ? 'Approve it if it is yours. Its teachers and students can then open Assay.'
        : 'Its new values take effect after you approve them. Until then the old values apply.'}
      {status !== 'pending' && fields.some((field) => field === 'jwks_url' || field === 'auth_endpoint') && (
        <p>
          Whoever has the new authentication URL or key set URL can sign in as anybody from this LMS. Ask its
          administrator whether it has really moved.
        </p>
      )}
      <dl className={`${classes.facts} ${classes.inNotice}`}>
        {fields.map((field) => (
          <Fragment key={field}>
            <dt>{names[field]}</dt>
            <dd>{shown[field] ?? 'none'}</dd>
          </Fragment>
        ))}
      </dl>
    </Notice>
  )
}
