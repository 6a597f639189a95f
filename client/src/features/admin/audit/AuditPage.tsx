import { listAudit, listAuditActions } from '@assay/shared/admin.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { EmptyState, PapersIllustration } from '../../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import tools from '../ListToolbar.module.css'
import { AuditList, actionLabel } from './AuditList.tsx'

const PER_PAGE = 50

/** In the reader's time zone; undefined for none or half a date. */
function startOf(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return undefined
  return new Date(year, month - 1, date + later).toISOString()
}

export function AuditPage() {
  const [action, setAction] = useState('')
  const [person, setPerson] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [page, setPage] = useState(1)
  const [sought] = useDebouncedValue(person.trim(), 250)
  const actions = useGet(listAuditActions)
  const entries = useGet(listAudit, undefined, {
    skip: (page - 1) * PER_PAGE,
    limit: PER_PAGE,
    action: action || undefined,
    person: sought || undefined,
    from: startOf(from),
    to: startOf(to, 1),
  })
  const onFilterChange = (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value)
    setPage(1)
  }
  return (
    <Page>
      <PageHeader
        title="Audit Log"
        subtitle="Who changed which grade, role, setting or membership, newest first. Entries cannot be changed; deleting an account removes the words about it."
      />
      <div className={tools.root}>
        <NativeSelect
          label="Action"
          value={action}
          onChange={onFilterChange(setAction)}
          data={[
            { value: '', label: 'Everything' },
            ...(actions.data ?? []).map((one) => ({ value: one, label: actionLabel(one) })),
          ]}
        />
        <TextInput
          label="Person"
          type="search"
          placeholder="Name or email"
          value={person}
          onChange={onFilterChange(setPerson)}
        />
        <TextInput label="From" type="date" value={from} onChange={onFilterChange(setFrom)} />
        <TextInput label="To" type="date" value={to} onChange={onFilterChange(setTo)} />
      </div>
      <Loaded query={entries} skeleton={<RowSkeletons label="Loading the audit log" />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState illustration={<PapersIllustration />} title="No entries found">
              Try a longer period or another person.
            </EmptyState>
          ) : (
            <>
              <AuditList entries={data} label="Audit log" />
              <ListPagination
                page={page}
                setPage={setPage}
                perPage={PER_PAGE}
                total={entries.total}
                itemName="entry"
                itemNamePlural="entries"
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
