import {
  approveUser,
  changeUserRole,
  deactivateUser,
  type ManagedUser,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Role } from '@assay/shared/users.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { DeleteUserModal } from '../../personal-data/DeleteUserModal.tsx'
import { DownloadDataModal } from '../../personal-data/DownloadDataModal.tsx'
import { roleDescriptions, roleNames } from './account-labels.ts'

export type UserAction = 'role' | 'approve' | 'off' | 'on' | 'link' | 'data' | 'delete'
export type ChooseUserAction = (action: UserAction, user: ManagedUser) => void

interface Props {
  action: UserAction
  user: ManagedUser
  close: () => void
  /** With the account as it is now; null where nothing of it changed. */
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

  const common = { opened: true, close }
  if (action === 'role') {
    return (
      <ConfirmModal
        {...common}
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
  if (action === 'off') {
    return (
      <ConfirmModal
        {...common}
        title={`Deactivate ${name}?`}
        confirmLabel="Deactivate"
        dangerous
        onConfirm={() => change(deactivate.send({ params }), `${name} has been deactivated.`)}
      >
        <p>
          {name} is signed out everywhere immediately and can no longer sign in. Courses, papers and grades are kept.
          You can reactivate the account at any time.
        </p>
      </ConfirmModal>
    )
  }
  if (action === 'on') {
    return (
      <ConfirmModal
        {...common}
        title={`Reactivate ${name}?`}
        confirmLabel="Reactivate"
        onConfirm={() => change(reactivate.send({ params }), `${name} has been reactivated.`)}
      >
        <p>
          {name} can sign in again, as {roleNames[user.role].toLowerCase()}.
        </p>
      </ConfirmModal>
    )
  }
  if (action === 'approve') {
    return (
      <ConfirmModal
        {...common}
        title={`Approve ${name}?`}
        confirmLabel="Approve"
        onConfirm={() => change(approve.send({ params }), `${name} is approved.`)}
      >
        <p>
          {name} of {user.institution ?? 'no institution'} registered as an instructor with {user.email}.{' '}
          {roleDescriptions.instructor}
        </p>
      </ConfirmModal>
    )
  }
  return (
    <ConfirmModal {...common} title={`Email ${name}?`} confirmLabel="Send email" onConfirm={mail}>
      <p>
        {user.account === 'invited'
          ? `Sends the invitation to ${user.email} again with a new link.`
          : `Sends a link to set a new password to ${user.email}. The current password works until the link is used.`}
      </p>
    </ConfirmModal>
  )
}
