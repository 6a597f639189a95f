import {
  approveUser,
  changeUserRole,
  deactivateUser,
  type ManagedUser,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import { type ErasurePreview, type ErasureProgress, eraseUser, previewErasure } from '@assay/shared/personal-data.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Role } from '@assay/shared/users.ts'
import { Button, Modal, NativeSelect, Progress, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded } from '../../../components/layout/Page.tsx'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { DownloadDataModal } from '../../privacy/personal-data/DownloadDataModal.tsx'
import { ErasureBlockers, ErasureSummary } from '../../privacy/personal-data/ErasureSummary.tsx'
import classes from '../../privacy/personal-data/PersonalData.module.css'
import { roleDescriptions, roleNames } from './account-labels.ts'

export type UserAction = 'role' | 'approve' | 'off' | 'on' | 'link' | 'data' | 'delete'
export type ChooseUserAction = (action: UserAction, user: ManagedUser) => void

interface Props {
  action: UserAction
  user: ManagedUser
  close: () => void
  /** Null where nothing of the account changed. */
  onDone: (after: ManagedUser | null) => void
}

export function UserActionModal({ action, user, close, onDone }: Props) {
  const [role, setRole] = useState(user.role)
  const giveRole = useSend(changeUserRole)
  const approve = useSend(approveUser)
  const deactivate = useSend(deactivateUser)
  const reactivate = useSend(reactivateUser)
  const sendLink = useSend(sendUserLink)
  const params = { userId: user.id }
  const name = nameOf(user)

  async function change(sending: Promise<ManagedUser>, message: string) {
    onDone(await sending)
    toast.success(message)
  }
  async function mail() {
    toast.success((await sendLink.send({ params })).message)
    onDone(null)
  }

  if (action === 'data') return <DownloadDataModal user={user} close={close} />
  if (action === 'delete') return <DeleteUserModal user={user} close={close} />

  if (action === 'role') {
    return (
      <ConfirmModal
        opened
        close={close}
        title={`Change the role of ${name}`}
        confirmLabel="Change role"
        disabled={role === user.role}
        onConfirm={() =>
          change(giveRole.send({ params, body: { role } }), `${name} is now ${roleNames[role].toLowerCase()}.`)
        }
      >
        <NativeSelect
          label="Role"
          value={role}
          onChange={(event) => setRole(Role.catch(user.role).parse(event.currentTarget.value))}
          data={Role.options.map((one) => ({ value: one, label: roleNames[one] }))}
        />
        <p>{roleDescriptions[role]}</p>
        {role === 'student' && user.courses_taught > 0 && (
          <p>
            They teach {plural(user.courses_taught, 'course')}. The courses stay, but {name} can no longer open them. An
            administrator can.
          </p>
        )}
        <p>They are signed out. The new role applies at their next sign-in.</p>
      </ConfirmModal>
    )
  }
  const { words, ...question } = {
    off: {
      title: `Deactivate ${name}?`,
      confirmLabel: 'Deactivate',
      dangerous: true,
      onConfirm: () => change(deactivate.send({ params }), `${name} has been deactivated.`),
      words: `${name} is signed out everywhere immediately and can no longer sign in. Courses, papers and grades are kept. You can reactivate the account at any time.`,
    },
    on: {
      title: `Reactivate ${name}?`,
      confirmLabel: 'Reactivate',
      onConfirm: () => change(reactivate.send({ params }), `${name} has been reactivated.`),
      words: `${name} can sign in again, as ${roleNames[user.role].toLowerCase()}.`,
    },
    approve: {
      title: `Approve ${name}?`,
      confirmLabel: 'Approve',
      onConfirm: () => change(approve.send({ params }), `${name} is approved.`),
      words: `${name} of ${user.institution ?? 'no institution'} registered as an instructor with ${user.email}. ${roleDescriptions.instructor}`,
    },
    link: {
      title: `Email ${name}?`,
      confirmLabel: 'Send email',
      onConfirm: mail,
      words:
        user.account === 'invited'
          ? `Sends the invitation to ${user.email} again with a new link.`
          : `Sends a link to set a new password to ${user.email}. The current password works until the link is used.`,
    },
  }[action]
  return (
    <ConfirmModal opened close={close} {...question}>
      <p>{words}</p>
    </ConfirmModal>
  )
}

function DeleteUserModal({ user, close }: { user: ManagedUser; close: () => void }) {
  const preview = useGet(previewErasure, { userId: user.id }, undefined, {
    refreshIntervalMs: (data) => pollInterval(data?.progress ?? null),
  })
  const erase = useSend(eraseUser)
  const refresh = useRevalidate()
  const start = async (username: string) => {
    const now = await erase.attempt({ params: { userId: user.id }, body: { username } })
    if (!now) return
    preview.patch(() => now)
    void refresh('/admin')
  }
  const failure = <ErrorNotice error={erase.error} fallback="The account could not be deleted. Please try again." />
  const title = user.deleted || preview.data?.progress ? 'Deletion of this account' : `Delete ${user.username}?`
  return (
    <Modal opened onClose={close} size="lg" title={title}>
      <div className={classes.body}>
        <Loaded
          query={preview}
          skeleton={<Skeleton height={280} radius="md" role="status" aria-label="Loading what would be deleted" />}
        >
          {(data) =>
            data.progress || data.blockers.length > 0 ? (
              <>
                {data.progress ? (
                  <ErasureStatus
                    progress={data.progress}
                    resume={() => start(user.username)}
                    resuming={erase.sending}
                  />
                ) : (
                  <ErasureBlockers blockers={data.blockers} />
                )}
                {data.progress && failure}
                <div className="button-row at-end">
                  <SecondaryButton onClick={close}>Close</SecondaryButton>
                </div>
              </>
            ) : (
              <ConfirmForm user={user} preview={data} close={close} sending={erase.sending} start={start}>
                {failure}
              </ConfirmForm>
            )
          }
        </Loaded>
      </div>
    </Modal>
  )
}

interface FormProps {
  user: ManagedUser
  preview: ErasurePreview
  close: () => void
  sending: boolean
  start: (username: string) => Promise<void>
  children: ReactNode
}

function ConfirmForm({ user, preview, close, sending, start, children }: FormProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === user.username) void start(typed.trim())
  }
  return (
    <form className={classes.body} onSubmit={submit} noValidate>
      <p>
        {user.full_name ? `${user.full_name} (${user.email || user.username})` : user.email || user.username} is signed
        out everywhere at once. This cannot be undone.
      </p>
      <ErasureSummary preview={preview} role={user.role} self={false} />
      <TextInput
        label={`Type ${user.username} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      {children}
      <div className="button-row at-end">
        <CancelButton onClick={close} disabled={sending} />
        <Button type="submit" color="red.8" loading={sending} disabled={typed.trim() !== user.username}>
          Delete account
        </Button>
      </div>
    </form>
  )
}

/** In ms; seldom while it waits for minutes. */
function pollInterval(progress: ErasureProgress | null): number {
  if (progress?.state !== 'running') return 0
  return progress.waiting ? 10_000 : 1000
}

interface ErasureStatusProps {
  progress: ErasureProgress
  resume: () => void
  resuming: boolean
}

function ErasureStatus({ progress, resume, resuming }: ErasureStatusProps) {
  const { state, doing, done, total, finished_at, placeholder } = progress
  const isDone = state === 'done'
  const refresh = useRevalidate()
  useEffect(() => {
    if (isDone) void refresh('/admin')
  }, [isDone, refresh])
  if (state === 'running')
    return (
      <div className={classes.progress}>
        <div className={classes.steps} role="status">
          <strong>{doing}</strong>
          <span className={classes.count}>
            Step {Math.min(done + 1, total)} of {total}
          </span>
        </div>
        <Progress value={(100 * done) / total} aria-label="Steps that are done" />
        <p>You can close this window. Deleting goes on, also after a restart of the server.</p>
      </div>
    )
  if (state === 'failed')
    return (
      <Notice
        tone="bad"
        title="The account is not deleted completely yet"
        actions={
          <SecondaryButton loading={resuming} onClick={resume}>
            Continue deleting
          </SecondaryButton>
        }
      >
        It stopped at “{doing}”. The account is closed, and what was deleted is gone. The server’s log says what went
        wrong.
      </Notice>
    )
  return (
    <div role="status">
      <Notice title="The account is deleted">
        {finished_at && `Completed on ${formatDateTime(finished_at)}. `}What the school keeps is under “{placeholder}”.
      </Notice>
    </div>
  )
}
