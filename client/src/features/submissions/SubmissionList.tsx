import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Button, Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { TrayDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { DeleteSubmissionsModal } from './DeleteSubmissionsModal.tsx'
import { countRows, type Filter, passes } from './row-status.ts'
import { SubmissionCards } from './SubmissionCards.tsx'
import classes from './SubmissionList.module.css'
import { SubmissionTable } from './SubmissionTable.tsx'
import { SubmissionTools } from './SubmissionTools.tsx'
import type { Process } from './useProcess.ts'

/** Rows drawn at once; thousands would make every change slow. */
const PER_PAGE = 50

interface Props {
  assignmentId: number
  rows: SubmissionRow[]
  live: boolean
  process: Process
  /** A run is going on. */
  busy: boolean
  openUpload: () => void
  reload: () => Promise<unknown>
  patch: (change: (rows: SubmissionRow[]) => SubmissionRow[]) => void
}

export interface RowActions {
  selected: ReadonlySet<number>
  select: (ids: number[], on: boolean) => void
  remove: (row: SubmissionRow) => void
  retry: (row: SubmissionRow) => void
  busy: boolean
}

export function SubmissionList({ rows, process, ...props }: Props) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [filter, setFilter] = useState<Filter>('all')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [doomed, setDoomed] = useState<SubmissionRow[]>([])
  const sought = useDeferredValue(search.trim())

  const counts = useMemo(() => countRows(rows), [rows])
  const found = useMemo(() => rows.filter((row) => passes(row, filter, sought)), [rows, filter, sought])
  // Rows deleted elsewhere leave the selection with them.
  const selected = useMemo(() => rows.filter((row) => chosen.has(row.id)), [rows, chosen])
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE))
  const current = Math.min(page, pages)
  const shown = found.slice((current - 1) * PER_PAGE, current * PER_PAGE)

  const list = useRef<HTMLDivElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  /** Which row's link, or else the heading, has the focus once the question is closed. */
  const focusNext = useRef<number | 'heading' | null>(null)
  useEffect(() => {
    if (doomed.length > 0 || focusNext.current === null) return
    const link = list.current?.querySelector<HTMLElement>(`a[href$="/submissions/${focusNext.current}"]`)
    const target = link ?? list.current?.querySelector<HTMLElement>('h2') ?? uploadButton.current
    target?.focus()
    focusNext.current = null
  }, [doomed])

  if (rows.length === 0) {
    return (
      <EmptyState
        drawing={<TrayDrawing />}
        title="No Submissions Yet"
        action={
          <Button ref={uploadButton} onClick={props.openUpload}>
            Upload Files
          </Button>
        }
      >
        Upload the students’ papers as PDFs. Then Process & Grade suggests a grade for each.
      </EmptyState>
    )
  }

  const actions: RowActions = {
    selected: chosen,
    select: (ids, on) =>
      setChosen((before) => {
        const after = new Set(before)
        for (const id of ids) {
          if (on) after.add(id)
          else after.delete(id)
        }
        return after
      }),
    remove: (row) => setDoomed([row]),
    retry: (row) => void process.start({ submission_ids: [row.id] }),
    busy: props.busy || process.starting,
  }

  async function refresh() {
    try {
      await props.reload()
      toast.good('Submissions refreshed successfully!')
    } catch {
      toast.bad('Failed to refresh submissions.')
    }
  }

  return (
    <div ref={list}>
      <SubmissionTools
        counts={counts}
        filter={filter}
        setFilter={(next) => {
          setFilter(next)
          setPage(1)
        }}
        search={search}
        setSearch={(text) => {
          setSearch(text)
          setPage(1)
        }}
        selected={selected.length}
        clearSelection={() => setChosen(new Set())}
        deleteSelected={() => {
          if (selected.length === 0) toast.bad('No submissions selected for deletion.')
          else setDoomed(selected)
        }}
        gradeSelected={() =>
          void process.start({ submission_ids: selected.map((row) => row.id), force: true })
        }
        busy={actions.busy}
        live={props.live}
        refresh={refresh}
      />
      {found.length === 0 && <p className={classes.none}>No submissions match.</p>}
      {found.length > 0 &&
        (onPhone ? (
          <SubmissionCards rows={shown} all={found} actions={actions} />
        ) : (
          <SubmissionTable rows={shown} all={found} actions={actions} />
        ))}
      {pages > 1 && (
        <div className={classes.pages}>
          <span className="numbers">
            {(current - 1) * PER_PAGE + 1}–{Math.min(current * PER_PAGE, found.length)} of{' '}
            {plural(found.length, 'submission')}
          </span>
          <Pagination
            total={pages}
            value={current}
            onChange={setPage}
            size="md"
            siblings={onPhone ? 0 : 1}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
          />
        </div>
      )}
      <DeleteSubmissionsModal
        assignmentId={props.assignmentId}
        doomed={doomed}
        close={() => setDoomed([])}
        gone={(ids) => {
          const all = new Set(ids)
          const [first] = ids
          focusNext.current = (ids.length === 1 && neighbourOf(shown, first)) || 'heading'
          props.patch((list) => list.filter((row) => !all.has(row.id)))
          actions.select(ids, false)
          void props.reload()
        }}
      />
    </div>
  )
}

/** The row that comes into the place of one that goes. */
function neighbourOf(rows: readonly SubmissionRow[], id: number | undefined): number | null {
  const place = rows.findIndex((row) => row.id === id)
  return (rows[place + 1] ?? rows[place - 1])?.id ?? null
}
