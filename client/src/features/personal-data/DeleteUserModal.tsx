import type { ManagedUser } from '@assay/shared/admin.ts'
import { type ErasurePreview, eraseUser, previewErasure } from '@assay/shared/personal-data.ts'
import { Button, Modal, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import confirm from '../../components/feedback/ConfirmModal.module.css'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { ErasureStatus } from './ErasureStatus.tsx'
import { ErasureBlockers, ErasureSummary } from './ErasureSummary.tsx'
import classes from './PersonalData.module.css'

interface Props {
  user: ManagedUser
  close: () => void
}

/** Deletes an account for its owner: what that means, the username typed, then how far it has come. */
export function DeleteUserModal({ user, close }: Props) {
  const preview = useGet(previewErasure, { userId: user.id })
  const erase = useSend(eraseUser)
  const refresh = useRevalidate()
  const start = async (username: string) => {
    const now = await erase.send({ params: { userId: user.id }, body: { username } })
    preview.patch(() => now)
    // The list, the dashboard's figures and the audit log.
    void refresh('/admin')
  }
  const title = user.deleted || preview.data?.progress ? 'Deletion of this account' : `Delete ${user.username}?`
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={<span className={confirm.title}>{title}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.body}>{body()}</div>
    </Modal>
  )

  function body() {
    const { data, error } = preview
    if (data?.progress) {
      return (
        <>
          <ErasureStatus
            userId={user.id}
            progress={data.progress}
            resume={() => start(user.username).catch(() => undefined)}
            resuming={erase.sending}
          />
          {erase.error && <Notice tone="bad">{messageOf(erase.error, FAILED)}</Notice>}
          <CloseButton close={close} />
        </>
      )
    }
    if (data && data.blockers.length > 0) {
      return (
        <>
          <ErasureBlockers blockers={data.blockers} />
          <CloseButton close={close} />
        </>
      )
    }
    if (data) {
      return (
        <ConfirmForm user={user} preview={data} close={close} sending={erase.sending} start={start}>
          {erase.error && <Notice tone="bad">{messageOf(erase.error, FAILED)}</Notice>}
        </ConfirmForm>
      )
    }
    if (error) return <LoadError error={error} retry={preview.reload} />
    return <Skeleton height={280} radius="md" role="status" aria-label="Loading what would be deleted" />
  }
}

const FAILED = 'The account could not be deleted. Please try again.'

function CloseButton({ close }: { close: () => void }) {
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={close}>
        Close
      </Button>
    </div>
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
    if (typed.trim() === user.username) start(typed.trim()).catch(() => undefined)
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
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} disabled={sending}>
          Cancel
        </Button>
        <Button type="submit" color="red.8" loading={sending} disabled={typed.trim() !== user.username}>
          Delete account
        </Button>
      </div>
    </form>
  )
}
