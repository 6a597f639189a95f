import type { ManagedUser } from '@assay/shared/admin.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useUser } from '../../../lib/session/session.tsx'
import type { ChooseUserAction } from './UserActionModal.tsx'
import classes from './UserTable.module.css'

/** One's own account is left alone: administrators could lock themselves out. */
export function UserMenuButton({ user, choose }: { user: ManagedUser; choose: ChooseUserAction }) {
  const me = useUser()
  if (user.id === me.id) return <span>You</span>
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon color="gray" size={40} aria-label={`Actions for ${nameOf(user)}`}>
          <IconDots size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user.deleted ? (
          <Menu.Item onClick={() => choose('delete', user)}>Show deletion</Menu.Item>
        ) : (
          <AccountItems user={user} choose={choose} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function AccountItems({ user, choose }: { user: ManagedUser; choose: ChooseUserAction }) {
  const off = user.account === 'deactivated'
  return (
    <>
      {user.account === 'pending' && <Menu.Item onClick={() => choose('approve', user)}>Approve instructor</Menu.Item>}
      <Menu.Item onClick={() => choose('role', user)}>Change role</Menu.Item>
      {!off && (
        <Menu.Item onClick={() => choose('link', user)}>
          {user.account === 'invited' ? 'Resend invitation' : 'Send password reset link'}
        </Menu.Item>
      )}
      {off ? (
        <Menu.Item onClick={() => choose('on', user)}>Reactivate</Menu.Item>
      ) : (
        <Menu.Item onClick={() => choose('off', user)}>Deactivate</Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item onClick={() => choose('data', user)}>Download data</Menu.Item>
      <Menu.Item className={classes.delete} onClick={() => choose('delete', user)}>
        Delete account…
      </Menu.Item>
    </>
  )
}
