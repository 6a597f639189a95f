import { listUsers, type ManagedUser } from '@assay/shared/admin.ts'
import { Button } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { PeopleDrawing } from '../../../components/drawings.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { Page } from '../../../components/Page.tsx'
import { PageHeader } from '../../../components/PageHeader.tsx'
import { RowSkeletons } from '../../../components/PageSkeleton.tsx'
import { useGet, useRefresh } from '../../../lib/api.ts'
import { ListPages } from '../ListPages.tsx'
import { CreateUserModal } from './CreateUserModal.tsx'
import { type Deed, UserActionModal } from './UserActionModal.tsx'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'
import { type UserFilter, UserTools } from './UserTools.tsx'
import { sorts } from './user-sorts.ts'

const PER_PAGE = 50

/** A row's doings: the page asks before anything is done. */
export type Choose = (deed: Deed, user: ManagedUser) => void

export function UsersPage() {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [filter, setFilter] = useState<UserFilter>({ search: '', role: '', account: '', sort: 'newest' })
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState<{ deed: Deed; user: ManagedUser } | null>(null)
  const [search] = useDebouncedValue(filter.search.trim(), 250)
  const refresh = useRefresh()
  const users = useGet(listUsers, undefined, {
    skip: (page - 1) * PER_PAGE,
    limit: PER_PAGE,
    search: search || undefined,
    role: filter.role || undefined,
    account: filter.account || undefined,
    ...sorts[filter.sort].query,
  })

  /** What an account's change changes elsewhere: the dashboard's figures and the audit log. */
  const changed = () => void refresh('/admin')
  const choose: Choose = (deed, user) => setAsked({ deed, user })

  return (
    <Page>
      <PageHeader
        title="User Management"
        subtitle="Accounts are switched off, not deleted: papers, grades and the audit log keep referring to them."
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            Create User
          </Button>
        }
      />
      <UserTools
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
          key={`${asked.deed} ${asked.user.id}`}
          deed={asked.deed}
          user={asked.user}
          close={() => setAsked(null)}
          done={(after) => {
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
        <EmptyState drawing={<PeopleDrawing />} title="Nobody matches">
          Look for a part of the name or address, or choose another role or state.
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
          <ListPages page={page} setPage={setPage} perPage={PER_PAGE} total={users.total} what="user" />
        </>
      )
    }
    if (users.error) return <LoadFailed error={users.error} retry={users.reload} />
    return <RowSkeletons label="Loading users" />
  }
}
