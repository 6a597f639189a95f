import { listUsers, type ManagedUser } from '@assay/shared/admin.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import type { AccountStatus, Role } from '@assay/shared/users.ts'
import { Button, Menu, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { MoreMenu } from '../../../components/display/MoreMenu.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { EmptyState, PeopleIllustration } from '../../../components/feedback/EmptyState.tsx'
import { DataTable, TableHead } from '../../../components/layout/DataTable.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet, useRevalidate } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { useUser } from '../../../lib/session/session.tsx'
import tools from '../ListToolbar.module.css'
import { accountStates, isErased, roleNames } from './account-labels.ts'
import { CreateUserModal } from './CreateUserModal.tsx'
import { type ChooseUserAction, type UserAction, UserActionModal } from './UserActionModal.tsx'
import classes from './UsersPage.module.css'

const PER_PAGE = 50
const WATCH_DELETION_MS = 3000

export function UsersPage() {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [params] = useSearchParams()
  const account = oneOf(params.get('account') ?? '', accountFilters)
  const [filter, setFilter] = useState<UserFilter>({ search: '', role: '', account, sort: 'newest' })
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState<{ action: UserAction; user: ManagedUser } | null>(null)
  const [search] = useDebouncedValue(filter.search.trim(), 250)
  const refresh = useRevalidate()
  const query = {
    skip: (page - 1) * PER_PAGE,
    limit: PER_PAGE,
    search: search || undefined,
    role: filter.role || undefined,
    account: filter.account || undefined,
    ...userSorts[filter.sort].query,
  }
  const users = useGet(listUsers, undefined, query, {
    // Until the names of deleted users are gone.
    refreshIntervalMs: (data) => (data?.some((user) => user.deleted && !isErased(user)) ? WATCH_DELETION_MS : 0),
  })

  const changed = () => void refresh('/admin')
  const narrow = (part: Partial<UserFilter>) => {
    setFilter({ ...filter, ...part })
    setPage(1)
  }
  const choose: ChooseUserAction = (action, user) => setAsked({ action, user })

  return (
    <Page>
      <PageHeader
        title="User Management"
        subtitle="Deactivate an account to keep everything and end sign-ins. Delete one to erase its owner’s data."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            Create User
          </Button>
        }
      />
      <div className={tools.root}>
        <TextInput
          label="Search"
          type="search"
          placeholder="Name, username, email or ID"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.search}
          onChange={(event) => narrow({ search: event.currentTarget.value })}
        />
        <NativeSelect
          label="Role"
          value={filter.role}
          onChange={(event) => narrow({ role: oneOf(event.currentTarget.value, roleFilters) })}
          data={roleFilters.map((role) => ({ value: role, label: role === '' ? 'Any role' : roleNames[role] }))}
        />
        <NativeSelect
          label="State"
          value={filter.account}
          onChange={(event) => narrow({ account: oneOf(event.currentTarget.value, accountFilters) })}
          data={accountFilters.map((state) => ({
            value: state,
            label: state === '' ? 'Any state' : accountStates[state].word,
          }))}
        />
        <NativeSelect
          label="Sort by"
          value={filter.sort}
          onChange={(event) => narrow({ sort: oneOf(event.currentTarget.value, keysOf(userSorts)) })}
          data={keysOf(userSorts).map((sort) => ({ value: sort, label: userSorts[sort].label }))}
        />
      </div>
      <Loaded query={users} skeleton={<RowSkeletons label="Loading users" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState illustration={<PeopleIllustration />} title="No users found">
              Search for part of a name or email, or choose another role or state.
            </EmptyState>
          ) : (
            <>
              {onPhone ? <UserCards users={data} choose={choose} /> : <UserTable users={data} choose={choose} />}
              <ListPagination page={page} setPage={setPage} perPage={PER_PAGE} total={users.total} itemName="user" />
            </>
          )
        }
      </Loaded>
      <CreateUserModal opened={creating} close={() => setCreating(false)} created={changed} />
      {asked && (
        <UserActionModal
          key={`${asked.action} ${asked.user.id}`}
          action={asked.action}
          user={asked.user}
          close={() => setAsked(null)}
          onDone={(after) => {
            if (after) users.patch((list) => list.map((one) => (one.id === after.id ? after : one)))
            changed()
          }}
        />
      )}
    </Page>
  )
}

interface UserFilter {
  search: string
  role: Role | ''
  account: AccountStatus | ''
  sort: UserSort
}

const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as K[]

const oneOf = <T extends string>(value: string, all: readonly T[]): T => {
  const found = all.find((one) => one === value) ?? all[0]
  if (found === undefined) throw new Error('a choice of nothing')
  return found
}

const accountFilters = ['', ...keysOf(accountStates)] as const
const roleFilters = ['', ...keysOf(roleNames)] as const

function UserCards({ users, choose }: { users: ManagedUser[]; choose: ChooseUserAction }) {
  return (
    <ul className={classes.cards} aria-label="Users">
      {users.map((user) => (
        <li key={user.id}>
          <div className={classes.card}>
            <UserIdentity user={user} />
            <div className={classes.facts}>
              <span>{roleNames[user.role]}</span>
              <AccountBadge user={user} />
              <span>{user.last_seen_at ? `Seen ${formatDateTime(user.last_seen_at)}` : 'Never seen'}</span>
            </div>
          </div>
          <UserMenuButton user={user} choose={choose} />
        </li>
      ))}
    </ul>
  )
}

const userSorts = {
  newest: { label: 'Newest first', query: { sort: 'created_at', direction: 'desc' } },
  name: { label: 'Username', query: { sort: 'username', direction: 'asc' } },
  email: { label: 'Email address', query: { sort: 'email', direction: 'asc' } },
  seen: { label: 'Last seen', query: { sort: 'last_seen_at', direction: 'desc' } },
  role: { label: 'Role', query: { sort: 'role', direction: 'asc' } },
} as const

type UserSort = keyof typeof userSorts

function UserTable({ users, choose }: { users: ManagedUser[]; choose: ChooseUserAction }) {
  return (
    <DataTable className={classes.table}>
      <TableHead columns={['User', 'Role', 'State', 'Last seen', 'Member since', 'Actions']} />
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
              <AccountBadge user={user} />
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
    </DataTable>
  )
}

function AccountBadge({ user: { deleted, account } }: { user: ManagedUser }) {
  const { status, word } = accountStates[deleted ? 'deactivated' : account]
  return <StatusBadge status={status}>{deleted ? 'Deleted' : word}</StatusBadge>
}

function UserIdentity({ user }: { user: ManagedUser }) {
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

/** Not for one's own account: administrators could lock themselves out. */
function UserMenuButton({ user, choose }: { user: ManagedUser; choose: ChooseUserAction }) {
  const me = useUser()
  const off = user.account === 'deactivated'
  const item = (action: UserAction, words: string, className?: string) => (
    <Menu.Item className={className} onClick={() => choose(action, user)}>
      {words}
    </Menu.Item>
  )
  if (user.id === me.id) return <span>You</span>
  return (
    <MoreMenu label={`Actions for ${nameOf(user)}`} width={260} color="gray" size={40} iconSize={20}>
      {user.deleted ? (
        item('delete', 'Show deletion')
      ) : (
        <>
          {user.account === 'pending' && item('approve', 'Approve instructor')}
          {item('role', 'Change role')}
          {!off && item('link', user.account === 'invited' ? 'Resend invitation' : 'Send password reset link')}
          {off ? item('on', 'Reactivate') : item('off', 'Deactivate')}
          <Menu.Divider />
          {item('data', 'Download data')}
          {item('delete', 'Delete account…', classes.delete)}
        </>
      )}
    </MoreMenu>
  )
}
