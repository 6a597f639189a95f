import type { SeenGrade } from '@assay/shared/grade-approvals.ts'
import type { SubmissionCounts, SubmissionRow } from '@assay/shared/submissions.ts'
import { Button, Checkbox, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { memo, type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { HandInTimeModal } from '../../grades/score-rules/HandInTimeModal.tsx'
import type { LmsScoresState } from '../../lti/scores/useLmsScores.ts'
import type { GradingProcess } from '../../runs/ProcessDialog.tsx'
import { studentName } from '../review/student-name.ts'
import { DeleteSubmissionsModal } from './DeleteSubmissionsModal.tsx'
import { hasGrade, identifierLine, mayBeDated } from './row-status.ts'
import classes from './SubmissionList.module.css'
import { looksSame, type RowActions, type RowProps, SubmissionStatusCell } from './SubmissionStatusCell.tsx'
import { RowActionButtons, RowCheckbox, RowScore, SubmissionTable, useDeferredRows } from './SubmissionTable.tsx'
import { SubmissionToolbar } from './SubmissionToolbar.tsx'
import { type ListView, PER_PAGE, searchFromOrder } from './useListView.ts'
import { useSelection } from './useSelection.ts'

interface Props {
  assignmentId: number
  view: ListView
  rows: SubmissionRow[]
  total: number
  /** Shown in place of rows that have not come; false where they have. */
  unanswered: ReactNode
  counts: SubmissionCounts
  lmsScores: LmsScoresState
  process: GradingProcess
  busy: boolean
  published: boolean
  approve: (grades: SeenGrade[]) => Promise<boolean>
  approving: boolean
  openUpload: () => void
  uploadIsNext: boolean
  reload: () => Promise<boolean>
  removeRows: (ids: ReadonlySet<number>) => void
}

export function SubmissionList({ view, rows, total, unanswered, counts, process, ...props }: Props) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const selection = useSelection(props.assignmentId, view.order, rows)
  const [toDelete, setToDelete] = useState<readonly number[]>([])
  const [toDate, setToDate] = useState<readonly number[]>([])
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  const { page, setPage } = view
  // The last page went with its last row.
  useEffect(() => {
    if (page > pages) setPage(pages)
  }, [page, pages, setPage])

  const list = useRef<HTMLDivElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  /** The row's link, or the heading, that gets the focus once the dialog is closed. */
  const focusNext = useRef<number | 'heading' | null>(null)
  useEffect(() => {
    if (toDelete.length > 0 || toDate.length > 0 || focusNext.current === null) return
    const link = list.current?.querySelector<HTMLElement>(`a[data-row="${focusNext.current}"]`)
    const target = link ?? list.current?.querySelector<HTMLElement>('h2') ?? uploadButton.current
    target?.focus()
    focusNext.current = null
  }, [toDelete, toDate])

  if (counts.all === 0 && rows.length === 0) {
    return (
      <EmptyState
        title="No Submissions Yet"
        action={
          <Button ref={uploadButton} variant={props.uploadIsNext ? 'filled' : 'default'} onClick={props.openUpload}>
            Upload Files
          </Button>
        }
      >
        Upload the students’ papers as PDFs. Then Process & Grade suggests a grade for each.
      </EmptyState>
    )
  }

  const actions: RowActions = {
    selected: selection.ids,
    select: selection.select,
    openMenu: (row, button) => setMenu({ row, button }),
    retry: (row) => void process.start({ submission_ids: [row.id] }),
    busy: props.busy || process.starting,
    lmsScores: props.lmsScores,
    search: searchFromOrder(view.order),
  }

  function gone(ids: readonly number[]) {
    const [first] = ids
    focusNext.current = (ids.length === 1 && neighbourOf(rows, first)) || 'heading'
    props.removeRows(new Set(ids))
    selection.select(ids, false)
    void props.reload()
  }

  return (
    <div ref={list}>
      <SubmissionToolbar
        view={view}
        counts={counts}
        found={unanswered ? 0 : total}
        rows={rows}
        selection={selection}
        published={props.published}
        approving={props.approving}
        approveSelected={() => {
          void props.approve(selection.toApprove).then(async (begun) => {
            if (begun) selection.clear()
            // Another try is then by grades as they are now.
            else await props.reload()
          })
        }}
        deleteSelected={() => setToDelete([...selection.ids])}
        dateSelected={() => setToDate([...selection.ids])}
        gradeSelected={() => void process.start({ submission_ids: [...selection.ids], force: true })}
        busy={actions.busy}
        onPhone={onPhone}
      />
      {rows.length === 0 && (unanswered || <p className={classes.none}>No submissions match.</p>)}
      {rows.length > 0 &&
        (onPhone ? (
          <SubmissionCards rows={rows} actions={actions} />
        ) : (
          <SubmissionTable rows={rows} actions={actions} view={view} />
        ))}
      {pages > 1 && !unanswered && <ListPages page={page} total={total} setPage={setPage} />}
      {menu && (
        <RowMenu
          {...menu}
          close={() => setMenu(null)}
          date={() => setToDate([menu.row.id])}
          remove={() => setToDelete([menu.row.id])}
        />
      )}
      {toDate.length > 0 && (
        <HandInTimeModal
          assignmentId={props.assignmentId}
          submissionIds={toDate}
          now={toDate.length === 1 ? rows.find(({ id }) => id === toDate[0]) : undefined}
          close={() => {
            if (toDate.length === 1) focusNext.current = toDate[0] ?? null
            setToDate([])
          }}
          saved={() => void props.reload()}
        />
      )}
      <DeleteSubmissionsModal
        assignmentId={props.assignmentId}
        submissionIds={toDelete}
        rows={rows}
        nameOf={selection.nameOf}
        close={() => setToDelete([])}
        onDeleted={gone}
      />
    </div>
  )
}

interface OpenMenu {
  row: SubmissionRow
  button: HTMLElement
}

interface RowMenuProps extends OpenMenu {
  close: () => void
  date: () => void
  remove: () => void
}

/** One for all rows: a Mantine menu takes longer to draw than a row. */
function RowMenu({ row, button, close, date, remove }: RowMenuProps) {
  const { bottom, right } = button.getBoundingClientRect()
  return (
    <Menu
      opened
      position="bottom-end"
      onClose={() => {
        button.focus({ preventScroll: true })
        close()
      }}
    >
      <Menu.Target>
        <span style={{ position: 'fixed', top: bottom, left: right }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={`More for submission ${row.id}`}>
        {mayBeDated(row) && <Menu.Item onClick={date}>Set hand-in time</Menu.Item>}
        <Menu.Item color="red.8" onClick={remove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ListPages(props: { page: number; total: number; setPage: (page: number) => void }) {
  const isDrawn = useDeferredValue(true, false)
  return isDrawn && <ListPagination {...props} perPage={PER_PAGE} itemName="submission" />
}

function neighbourOf(rows: readonly SubmissionRow[], id: number | undefined): number | null {
  const place = rows.findIndex((row) => row.id === id)
  return (rows[place + 1] ?? rows[place - 1])?.id ?? null
}

/** Without a notice above the list. */
const HEIGHTS = { above: 430, row: 130 }

function SubmissionCards({ rows, actions }: { rows: SubmissionRow[]; actions: RowActions }) {
  const drawn = useDeferredRows(rows, HEIGHTS)
  const ids = rows.map(({ id }) => id)
  const count = ids.filter((id) => actions.selected.has(id)).length
  return (
    <>
      <Checkbox
        className={classes.all}
        label={`Select these ${rows.length}`}
        checked={count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={(event) => actions.select(ids, event.currentTarget.checked)}
      />
      <ul className={classes.list} aria-label="Submissions">
        {drawn.map((row) => (
          <Card key={row.id} row={row} selected={actions.selected.has(row.id)} actions={actions} />
        ))}
      </ul>
    </>
  )
}

const Card = memo(function Card({ row, selected, actions }: RowProps) {
  return (
    <li data-selected={selected || undefined}>
      <RowCheckbox
        label={`Select submission ${row.id}`}
        checked={selected}
        onChange={(checked) => actions.select([row.id], checked)}
      />
      <div className={classes.words}>
        <div className={classes.top}>
          <span className={classes.name} title={studentName(row)}>
            {studentName(row)}
          </span>
          <span className={classes.id}>#{row.id}</span>
        </div>
        <span className={classes.when}>
          {identifierLine(row)} · {formatDateTime(row.created_at)}
        </span>
        <SubmissionStatusCell row={row} actions={actions} />
        <div className={classes.foot}>
          {hasGrade(row) ? (
            <div>
              <RowScore row={row} />
            </div>
          ) : (
            <span />
          )}
          <RowActionButtons row={row} actions={actions} />
        </div>
      </div>
    </li>
  )
}, looksSame)
