import { listUsers, type ManagedUser } from '@assay/shared/admin.ts'
import { Button } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { PeopleIllustration } from '../../../components/feedback/illustrations.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet, useRevalidate } from '../../../lib/api/api-hooks.ts'
import { ListPagination } from '../ListPagination.tsx'
import { isErased } from './account-labels.ts'
import { CreateUserModal } from './CreateUserModal.tsx'
import { type ChooseUserAction, type UserAction, UserActionModal } from './UserActionModal.tsx'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'
import { accountFilters, oneOf, type UserFilter, UserToolbar } from './UserToolbar.tsx'
import { userSorts } from './user-sorts.ts'

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
  const users = useGet(listUsers, undefined, query)
  // Until the names of those that are being deleted are gone.
  const deleting = users.data?.some((user) => user.deleted && !isErased(user)) ?? false
  useGet(listUsers, undefined, query, { enabled: deleting, refreshIntervalMs: WATCH_DELETION_MS })

  /** What an account's change changes elsewhere: the dashboard's figures and the audit log. */
  const changed = () => void refresh('/admin')
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
      <UserToolbar
        filter={filter}
        setFilter={(next) => {
          setFilter(next)
          setPage(1)
        }}
      />
      {body()}
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

  function body() {
    if (users.data?.length === 0) {
      return (
        <EmptyState illustration={<PeopleIllustration />} title="No users found">
          Search for part of a name or email, or choose another role or state.
        </EmptyState>
      )
    }
    if (users.data) {
      return (
        <>
          {onPhone ? (
            <UserCards users={users.data} choose={choose} />
          ) : (
            <UserTable users={users.data} choose={choose} />
          )}
          <ListPagination page={page} setPage={setPage} perPage={PER_PAGE} total={users.total} itemName="user" />
        </>
      )
    }
    if (users.error) return <LoadError error={users.error} retry={users.reload} />
    return <RowSkeletons label="Loading users" />
  }
}
