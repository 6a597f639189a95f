import {
  approvePlatform,
  deactivatePlatform,
  deletePlatform,
  type Platform,
  reactivatePlatform,
} from '@assay/shared/lti/lti-platforms.ts'
import { updateRegistration } from '@assay/shared/lti/lti-registration.ts'
import { Button, Menu } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { MoreMenu } from '../../../components/display/MoreMenu.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'
import { needsApproval } from './lms-messages.ts'

export const registrationSummary = ({ registered_by, created_at }: Platform) =>
  `${registered_by === 'link' ? 'registered with a link' : 'registered manually'} on ${formatDate(created_at)}`

export function PlatformActions({ platform, changed }: { platform: Platform; changed: (after: Platform) => void }) {
  const [asked, setAsked] = useState<'off' | 'on' | 'delete' | 'update' | null>(null)
  const off = useSend(deactivatePlatform)
  const on = useSend(reactivatePlatform)
  const remove = useSend(deletePlatform)
  const update = useSend(updateRegistration)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const { name, id, status } = platform
  const params = { platformId: id }

  async function change(sending: Promise<Platform>, message: string) {
    changed(await sending)
    toast.success(message)
    void refresh('/admin')
  }

  const questions = {
    off: {
      title: `Deactivate ${name}?`,
      confirmLabel: 'Deactivate',
      dangerous: true,
      onConfirm: () => change(off.send({ params }), `${name} has been deactivated.`),
      words:
        'Nobody can open Assay from it any more, and everyone using it there is signed out immediately. Courses, papers and grades are kept. You can reactivate it at any time.',
    },
    on: {
      title: `Reactivate ${name}?`,
      confirmLabel: 'Reactivate',
      onConfirm: () => change(on.send({ params }), `${name} has been reactivated.`),
      words: 'Its teachers and students can open Assay from their courses again.',
    },
    update: {
      title: 'Update the registration at the LMS?',
      confirmLabel: 'Update',
      onConfirm: () => change(update.send({ params }), `${name} has been updated.`),
      words: `Sends ${name} Assay’s current address, launch types and requested permissions. Do this after the address has changed or Assay has been updated.`,
    },
    delete: {
      title: `Delete ${name}?`,
      confirmLabel: 'Delete',
      dangerous: true,
      onConfirm: async () => {
        const { message } = await remove.send({ params })
        toast.success(message)
        void refresh('/admin')
        void navigate('/admin/lms')
      },
      words:
        'Its values and keys are permanently deleted. This is only possible while no course, link or person comes from it.',
    },
  }

  return (
    <>
      <MoreMenu label={`Actions for ${name}`} width={280} variant="default" size={44} iconSize={20}>
        {platform.can_update_registration && (
          <Menu.Item onClick={() => setAsked('update')}>Update the registration at the LMS</Menu.Item>
        )}
        <Menu.Item onClick={() => setAsked(status === 'off' ? 'on' : 'off')}>
          {status === 'off' ? 'Reactivate' : 'Deactivate'}
        </Menu.Item>
        <Menu.Item onClick={() => setAsked('delete')}>Delete</Menu.Item>
      </MoreMenu>
      {Object.entries(questions).map(([action, { words, ...question }]) => (
        <ConfirmModal key={action} opened={asked === action} close={() => setAsked(null)} {...question}>
          <p>{words}</p>
        </ConfirmModal>
      ))}
    </>
  )
}

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
