import { Button, TextInput } from '@mantine/core'
import { IconRefresh, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { type Counts, type Filter, filters } from './row-status.ts'
import classes from './SubmissionTools.module.css'

interface Props {
  counts: Counts
  filter: Filter
  setFilter: (filter: Filter) => void
  search: string
  setSearch: (text: string) => void
  selected: number
  clearSelection: () => void
  deleteSelected: () => void
  gradeSelected: () => void
  busy: boolean
  live: boolean
  refresh: () => Promise<void>
}

/** Below this, the whole list is on one screen and needs no search. */
const SEARCH_FROM = 15

/** Above the list: how many there are of what, search, refresh; and what to do with those selected. */
export function SubmissionTools(props: Props) {
  const [refreshing, setRefreshing] = useState(false)
  async function refresh() {
    setRefreshing(true)
    await props.refresh().finally(() => setRefreshing(false))
  }
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title} tabIndex={-1}>
          Submissions ({props.counts.all})
        </h2>
        <div className={classes.end}>
          {props.counts.all >= SEARCH_FROM && (
            <TextInput
              aria-label="Search submissions"
              placeholder="Search"
              type="search"
              size="sm"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={props.search}
              onChange={(event) => props.setSearch(event.currentTarget.value)}
              className={classes.search}
            />
          )}
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={refreshing}
            onClick={() => void refresh()}
            title={props.live ? 'Rows change by themselves while papers are graded' : undefined}
          >
            Refresh
          </Button>
        </div>
      </div>
      <Filters counts={props.counts} filter={props.filter} setFilter={props.setFilter} />
      <div role="status">
        {props.selected > 0 && (
          <div className={classes.selection}>
            <strong>{props.selected} selected</strong>
            <Button variant="subtle" color="red.8" className={classes.delete} onClick={props.deleteSelected}>
              Delete Selected
            </Button>
            <Button variant="subtle" disabled={props.busy} onClick={props.gradeSelected}>
              Grade selected again
            </Button>
            <Button variant="subtle" color="gray" className={classes.clear} onClick={props.clearSelection}>
              Clear selection
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

const labels: Record<Filter, [word: string, count: keyof Counts]> = {
  all: ['All', 'all'],
  flagged: ['Flagged', 'flagged'],
  failed: ['Failed', 'failed'],
  pending: ['Pending', 'pending'],
  graded: ['Graded', 'graded'],
}

function Filters({ counts, filter, setFilter }: Pick<Props, 'counts' | 'filter' | 'setFilter'>) {
  const shown = filters.filter((one) => one === 'all' || one === filter || counts[labels[one][1]] > 0)
  return (
    <fieldset className={classes.filters} aria-label="Show">
      {shown.map((one) => (
        <button
          type="button"
          key={one}
          aria-pressed={filter === one}
          data-filter={one}
          onClick={() => setFilter(one)}
        >
          {labels[one][0]} <span>{counts[labels[one][1]]}</span>
        </button>
      ))}
    </fieldset>
  )
}
