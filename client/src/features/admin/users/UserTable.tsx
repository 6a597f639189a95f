import type { ManagedUser } from '@assay/shared/admin.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { accountState, isErased, roleNames } from './account-labels.ts'
import type { ChooseUserAction } from './UserActionModal.tsx'
import { UserMenuButton } from './UserMenuButton.tsx'
import classes from './UserTable.module.css'

export function UserTable({ users, choose }: { users: ManagedUser[]; choose: ChooseUserAction }) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">State</th>
            <th scope="col">Last seen</th>
            <th scope="col">Member since</th>
            <th scope="col" className={classes.actions}>
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <td className={classes.who}>
                <div className={classes.user}>
                  <InitialsAvatar name={nameOf(user)} />
                  <UserIdentity user={user} />
                </div>
              </td>
              <td>{roleNames[user.role]}</td>
              <td>
                <StatusBadge status={accountState(user).status}>{accountState(user).word}</StatusBadge>
              </td>
              <td className={classes.when}>
                {user.last_seen_at ? (
                  <time dateTime={user.last_seen_at}>{formatDateTime(user.last_seen_at)}</time>
                ) : (
                  'Never'
                )}
              </td>
              <td className={classes.when}>
                <time dateTime={user.created_at}>{formatDate(user.created_at)}</time>
              </td>
              <td className={classes.actions}>
                <UserMenuButton user={user} choose={choose} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function UserIdentity({ user }: { user: ManagedUser }) {
  return (
    <div className={classes.names}>
      <span className={classes.name} title={nameOf(user)}>
        {nameOf(user)}
        <span className={classes.dim}>
          {!isErased(user) && user.full_name && ` · ${user.username}`} · ID {user.id}
        </span>
      </span>
      <span className={classes.email} title={user.email}>
        {isErased(user) ? 'Personal data deleted' : user.email}
        {!user.deleted && !user.email_verified && ' (not confirmed)'}
      </span>
    </div>
  )
}
