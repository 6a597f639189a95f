import {
  approveUser,
  changeUserRole,
  deactivateUser,
  type ManagedUser,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import { Role } from '@assay/shared/users.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { roleDescriptions, roleNames } from './account-labels.ts'

export type UserAction = 'role' | 'approve' | 'off' | 'on' | 'link'

interface Props {
  deed: UserAction
  user: ManagedUser
  close: () => void
  /** With the account as it is now; null where nothing of it changed. */
  done: (after: ManagedUser | null) => void
}

/** Asks before an account is changed, and says what will happen to its owner. */
export function UserActionModal({ deed, user, close, done }: Props) {
  const [role, setRole] = useState(user.role)
  const giveRole = useSend(changeUserRole)
  const approve = useSend(approveUser)
  const deactivate = useSend(deactivateUser)
  const reactivate = useSend(reactivateUser)
  const sendLink = useSend(sendUserLink)
  const params = { userId: user.id }
  const name = user.username

  async function change(sending: Promise<ManagedUser>, said: string) {
    done(await sending)
    toast.good(said)
  }
  async function mail() {
    toast.good((await sendLink.send({ params })).message)
    done(null)
  }

  const common = { opened: true, close }
  if (deed === 'role') {
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
            They teach {plural(user.courses_taught, 'course')}. Those stay, but {name} can open them no longer; an
            administrator can.
          </p>
        )}
        <p>They are signed out and have the new role from their next sign-in.</p>
      </ConfirmModal>
    )
  }
  if (deed === 'off') {
    return (
      <ConfirmModal
        {...common}
        title={`Switch off ${name}?`}
        confirmLabel="Switch off"
        dangerous
        onConfirm={() => change(deactivate.send({ params }), `${name} is switched off.`)}
      >
        <p>
          {name} is signed out everywhere at once and cannot sign in again. Courses, papers and grades stay as they are.
          You can switch the account on again.
        </p>
      </ConfirmModal>
    )
  }
  if (deed === 'on') {
    return (
      <ConfirmModal
        {...common}
        title={`Switch on ${name}?`}
        confirmLabel="Switch on"
        onConfirm={() => change(reactivate.send({ params }), `${name} is switched on.`)}
      >
        <p>
          {name} can sign in again, as {roleNames[user.role].toLowerCase()}.
        </p>
      </ConfirmModal>
    )
  }
  if (deed === 'approve') {
    return (
      <ConfirmModal
        {...common}
        title={`Approve ${name}?`}
        confirmLabel="Approve"
        onConfirm={() => change(approve.send({ params }), `${name} is approved.`)}
      >
        <p>
          {user.full_name ?? name} of {user.institution ?? 'no institution'} registered as an instructor with{' '}
          {user.email}. {roleDescriptions.instructor}
        </p>
      </ConfirmModal>
    )
  }
  return (
    <ConfirmModal {...common} title={`Mail ${name}?`} confirmLabel="Send mail" onConfirm={mail}>
      <p>
        {user.account === 'invited'
          ? `The invitation goes to ${user.email} again, with a new link to claim the account.`
          : `A link to set a new password goes to ${user.email}. The password they have works until they use it.`}
      </p>
    </ConfirmModal>
  )
}
