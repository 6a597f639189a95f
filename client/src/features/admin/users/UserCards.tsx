import type { ManagedUser } from '@assay/shared/admin.ts'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { accountState, roleNames } from './account-labels.ts'
import type { ChooseUserAction } from './UserActionModal.tsx'
import { UserMenuButton } from './UserMenuButton.tsx'
import classes from './UserTable.module.css'
import { UserIdentity } from './UserTable.tsx'

/** The table's rows on a phone. */
export function UserCards({ users, choose }: { users: ManagedUser[]; choose: ChooseUserAction }) {
  return (
    <ul className={classes.cards} aria-label="Users">
      {users.map((user) => (
        <li key={user.id}>
          <div className={classes.card}>
            <UserIdentity user={user} />
            <div className={classes.facts}>
              <span>{roleNames[user.role]}</span>
              <StatusBadge status={accountState(user).status}>{accountState(user).word}</StatusBadge>
              <span>{user.last_seen_at ? `Seen ${formatDateTime(user.last_seen_at)}` : 'Never seen'}</span>
            </div>
          </div>
          <UserMenuButton user={user} choose={choose} />
        </li>
      ))}
    </ul>
  )
}
