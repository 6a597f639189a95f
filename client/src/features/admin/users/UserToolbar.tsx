import type { AccountStatus, Role } from '@assay/shared/users.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import tools from '../ListToolbar.module.css'
import { accountStates, roleNames } from './account-labels.ts'
import { type UserSort, userSorts } from './user-sorts.ts'

export interface UserFilter {
  search: string
  role: Role | ''
  account: AccountStatus | ''
  sort: UserSort
}

const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as K[]

/** What a select's element or an address holds, as one of those there are; the first when it is none. */
export const oneOf = <T extends string>(value: string, all: readonly T[]): T => {
  const found = all.find((one) => one === value) ?? all[0]
  if (found === undefined) throw new Error('a choice of nothing')
  return found
}

export const accountFilters = ['', ...keysOf(accountStates)] as const

/** Search, filters and order of the list of accounts. */
export function UserToolbar({ filter, setFilter }: { filter: UserFilter; setFilter: (filter: UserFilter) => void }) {
  const roles = ['', ...keysOf(roleNames)] as const
  return (
    <div className={tools.root}>
      <TextInput
        label="Search"
        type="search"
        placeholder="Name, username, email or ID"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.search}
        onChange={(event) => setFilter({ ...filter, search: event.currentTarget.value })}
      />
      <NativeSelect
        label="Role"
        value={filter.role}
        onChange={(event) => setFilter({ ...filter, role: oneOf(event.currentTarget.value, roles) })}
        data={roles.map((role) => ({ value: role, label: role === '' ? 'Any role' : roleNames[role] }))}
      />
      <NativeSelect
        label="State"
        value={filter.account}
        onChange={(event) => setFilter({ ...filter, account: oneOf(event.currentTarget.value, accountFilters) })}
        data={accountFilters.map((state) => ({
          value: state,
          label: state === '' ? 'Any state' : accountStates[state].word,
        }))}
      />
      <NativeSelect
        label="Sort by"
        value={filter.sort}
        onChange={(event) => setFilter({ ...filter, sort: oneOf(event.currentTarget.value, keysOf(userSorts)) })}
        data={keysOf(userSorts).map((sort) => ({ value: sort, label: userSorts[sort].label }))}
      />
    </div>
  )
}
