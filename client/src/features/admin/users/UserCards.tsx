import type { ManagedUser } from '@assay/shared/admin.ts'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { formatMoment } from '../../../lib/format.ts'
import { accountStates, roleNames } from './account-words.ts'
import { UserMenuButton } from './UserMenuButton.tsx'
import type { Choose } from './UsersPage.tsx'
import classes from './UserTable.module.css'
import { UserNames } from './UserTable.tsx'

/** The table's rows on a phone. */
export function UserCards({ users, choose }: { users: ManagedUser[]; choose: Choose }) {
  return (
    <ul className={classes.cards} aria-label="Users">
      {users.map((user) => (
        <li key={user.id}>
          <div className={classes.card}>
            <UserNames user={user} />
            <div className={classes.facts}>
              <span>{roleNames[user.role]}</span>
              <StatusMark status={accountStates[user.account].status}>
                {accountStates[user.account].word}
              </StatusMark>
              <span>{user.last_seen_at ? `Seen ${formatMoment(user.last_seen_at)}` : 'Never seen'}</span>
            </div>
          </div>
          <UserMenuButton user={user} choose={choose} />
        </li>
      ))}
    </ul>
  )
}
