import {
  type SubmissionCounts,
  type SubmissionFilter,
  type SubmissionRow,
  type SubmissionSort,
  submissionFilters,
  submissionSorts,
} from '@assay/shared/submissions.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { mayBeDated } from './row-status.ts'
import classes from './SubmissionToolbar.module.css'
import type { ListView } from './useListView.ts'
import type { Selection } from './useSelection.ts'

interface Props {
  view: ListView
  counts: SubmissionCounts
  found: number
  rows: readonly SubmissionRow[]
  selection: Selection
  published: boolean
  /** No other approval can begin until it is done. */
  approving: boolean
  approveSelected: () => void
  deleteSelected: () => void
  dateSelected: () => void
  gradeSelected: () => void
  busy: boolean
  onPhone: boolean
}

export function SubmissionToolbar(props: Props) {
  const { view, counts } = props
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title} tabIndex={-1}>
          Submissions ({formatCount(counts.all)})
        </h2>
        <SearchBox
          value={view.order.search}
          change={(search) => view.change({ search })}
          placeholder={props.rows.some((row) => row.names_hidden) ? 'Paper number or #id' : 'Name, file or #id'}
        />
      </div>
      <Filters counts={counts} view={view} />
      {props.onPhone && <SortChoice view={view} />}
      <p role="status" className="visually-hidden">
        {listAnnouncement(props)}
      </p>
      <SelectionBar {...props} />
    </div>
  )
}

const sortLabels: Record<SubmissionSort, string> = {
  id: 'submission ID',
  student: 'student',
  submitted: 'date submitted',
  status: 'grade status',
  score: 'score',
}

function listAnnouncement({ view: { order }, found }: Props): string {
  const direction = order.direction === 'asc' ? 'ascending' : 'descending'
  return `${plural(found, 'submission')} shown, sorted by ${sortLabels[order.sort]} in ${direction} order`
}

const filterLabels: Record<SubmissionFilter, string> = {
  all: 'All',
  held: 'Needs a look first',
  flagged: 'Flagged',
  by_hand: 'Grade by hand',
  failed: 'Failed',
  pending: 'Pending',
  suggested: 'Suggested',
  reviewed: 'Reviewed',
  graded: 'Graded',
  unmatched: 'No student',
  late: 'Late',
  regrade: 'Regrade requested',
  outdated: 'Earlier rubric',
}

function Filters({ counts, view }: Pick<Props, 'counts' | 'view'>) {
  const chosen = view.order.status
  // The graded ones are offered by their parts.
  const shown = submissionFilters.filter(
    (one) => one === 'all' || one === chosen || (one !== 'graded' && counts[one] > 0),
  )
  return (
    <fieldset className={classes.filters} aria-label="Show">
      {shown.map((one) => (
        <button
          type="button"
          key={one}
          aria-pressed={chosen === one}
          data-filter={one}
          onClick={() => view.change({ status: one })}
        >
          {filterLabels[one]} <span>{formatCount(counts[one])}</span>
        </button>
      ))}
    </fieldset>
  )
}

function SortChoice({ view: { order, change } }: Pick<Props, 'view'>) {
  return (
    <NativeSelect
      className={classes.sort}
      aria-label="Sort by"
      value={`${order.sort} ${order.direction}`}
      data={submissionSorts.flatMap((sort) => [
        { value: `${sort} asc`, label: `By ${sortLabels[sort]}, ascending` },
        { value: `${sort} desc`, label: `By ${sortLabels[sort]}, descending` },
      ])}
      onChange={({ currentTarget }) => {
        const [sort, direction] = currentTarget.value.split(' ')
        const found = submissionSorts.find((one) => one === sort)
        if (found) change({ sort: found, direction: direction === 'desc' ? 'desc' : 'asc' })
      }}
    />
  )
}

/** From the last keystroke, in ms. */
const DEBOUNCE_MS = 250

interface SearchBoxProps {
  value: string
  change: (text: string) => void
  placeholder: string
}

function SearchBox({ value, change, placeholder }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const lastSent = useRef(value)
  // Another search came with the address: back, or a link.
  useEffect(() => {
    if (value === lastSent.current) return
    lastSent.current = value
    setText(value)
  }, [value])
  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    if (text.trim() === lastSent.current) return
    const timer = setTimeout(() => {
      lastSent.current = text.trim()
      latest.current(lastSent.current)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      aria-label="Search submissions"
      placeholder={placeholder}
      type="search"
      size="sm"
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      className={classes.search}
    />
  )
}

function SelectionBar({ selection, rows, found, busy, published, approving, ...actions }: Props) {
  const { ids, toApprove } = selection
  const selected = rows.filter(({ id }) => ids.has(id))
  const here = selected.length
  const elsewhere = ids.size - here
  const wholePage = rows.length > 0 && here === rows.length
  return (
    <>
      {/* Always present, so that screen readers announce changes. */}
      <p role="status" className="visually-hidden">
        {ids.size > 0 && `${formatCount(ids.size)} selected`}
      </p>
      {ids.size > 0 && (
        <div className={classes.selection}>
          <strong>{formatCount(ids.size)} selected</strong>
          {elsewhere > 0 && <span className="dim">{formatCount(elsewhere)} not on this page</span>}
          {toApprove.length > 0 && (
            <>
              <SubtleButton disabled={busy} loading={approving} onClick={actions.approveSelected}>
                Approve {plural(toApprove.length, 'grade')}
              </SubtleButton>
              {published && <span className="dim">Students see approved grades at once.</span>}
            </>
          )}
          <SubtleButton color="red.8" className={classes.delete} onClick={actions.deleteSelected}>
            Delete Selected
          </SubtleButton>
          <SubtleButton disabled={busy} onClick={actions.gradeSelected}>
            Grade selected again
          </SubtleButton>
          {selected.some(mayBeDated) && <SubtleButton onClick={actions.dateSelected}>Set hand-in time</SubtleButton>}
          {wholePage && found > ids.size && (
            <SubtleButton loading={selection.selectingAll} onClick={() => void selection.selectAll()}>
              Select all {formatCount(found)}
            </SubtleButton>
          )}
          <SubtleButton color="gray" className={classes.clear} onClick={selection.clear}>
            Clear selection
          </SubtleButton>
        </div>
      )}
    </>
  )
}
