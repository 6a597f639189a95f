// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows that are out of sight
// biome-ignore-all lint/a11y/useFocusableInteractive: of rows and cells what is in them takes the focus
import type { Gradebook, GradebookCell, GradebookColumn, GradebookRow } from '@assay/shared/gradebook.ts'
import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { exactPercent } from '@assay/shared/rules/points.ts'
import { IconArrowDown, IconArrowUp, IconClockExclamation, IconUsers } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useHref, useNavigate } from 'react-router-dom'
import { formatPercent, formatPoints } from '../../lib/format.ts'
import classes from './GradebookGrid.module.css'
import { type BookSort, cellInWords, nextSort, pointsOf, type SortKey, whyNotCounted } from './gradebook-rows.ts'
import { FIXED, type Place, placeAfter, SIZES, showCell, useRangeWith } from './grid-navigation.ts'

interface Props {
  book: Gradebook
  rows: GradebookRow[]
  sort: BookSort
  setSort: (sort: BookSort) => void
}

/** An ARIA grid that draws only what is in sight and the focused cell. */
export function GradebookGrid({ book, rows, sort, setSort }: Props) {
  const { columns } = book
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>({ row: -1, column: 0 })
  const at = { row: Math.min(place.row, rows.length - 1), column: Math.min(place.column, columns.length + FIXED - 1) }
  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => SIZES.row,
    getItemKey: (i) => rows[i]?.student_id ?? i,
    overscan: 8,
    rangeExtractor: useRangeWith(at.row),
  })
  const horizontal = useVirtualizer({
    count: columns.length,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: () => SIZES.column,
    overscan: 3,
    rangeExtractor: useRangeWith(at.column - FIXED),
  })
  const moved = useRef(false)
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    const box = scroller.current
    const cell = box?.querySelector<HTMLElement>('[tabindex="0"]')
    if (!box || !cell) return
    cell.focus({ preventScroll: true })
    showCell(box, cell)
  })
  const inSight = horizontal.getVirtualItems().map(({ index }) => index)

  function go(next: Place) {
    moved.current = true
    setPlace({
      row: Math.max(-1, Math.min(rows.length - 1, next.row)),
      column: Math.max(0, Math.min(columns.length + FIXED - 1, next.column)),
    })
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.altKey || event.metaKey) return
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - SIZES.head) / SIZES.row))
    const next = placeAfter(event.key, event.ctrlKey, at, { page, rows: rows.length, columns: columns.length + FIXED })
    if (!next) return
    event.preventDefault()
    go(next)
  }

  // One handler: a thousand router links would each listen for changes of the address.
  const base = useHref('/assignments')
  const navigate = useNavigate()
  function openPaper(event: MouseEvent<HTMLDivElement>) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(`/assignments${link.getAttribute('href')?.slice(base.length)}`)
  }

  const headProps = { at, sort, setSort, setPlace }
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label="Gradebook"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + FIXED}
      onKeyDown={onKeyDown}
      onClick={openPaper}
    >
      <div
        role="presentation"
        className={classes.sheet}
        style={{
          height: SIZES.head + vertical.getTotalSize(),
          width: `calc(var(--name) + var(--total) + ${horizontal.getTotalSize()}px)`,
        }}
      >
        <div role="row" aria-rowindex={1} className={classes.head}>
          <Heading sortKey="name" index={0} label="Student" {...headProps} className={classes.name} />
          <Heading sortKey="total" index={1} label="Total" mean={book.mean} {...headProps} className={classes.total}>
            {book.drop_lowest > 0 && `${book.drop_lowest} dropped`}
          </Heading>
          {inSight.map((i) => {
            const column = columns[i]
            if (!column) return null
            return (
              <Heading
                key={column.assignment_id}
                sortKey={i}
                index={i + FIXED}
                label={column.title}
                mean={column.mean}
                {...headProps}
                className={classes.column}
                left={i * SIZES.column}
                quiet={whyNotCounted(column) !== null}
              >
                {columnNote(column)}
              </Heading>
            )
          })}
        </div>
        {vertical.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <Row
                key={row.student_id}
                row={row}
                index={index}
                top={SIZES.head + start}
                columns={columns}
                base={base}
                inSight={inSight.join(' ')}
                focused={at.row === index ? at.column : null}
                setPlace={setPlace}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

function columnNote(column: GradebookColumn): string {
  const weight = column.weight === 1 ? null : `× ${column.weight}`
  const of = column.max_points === null ? null : `of ${formatPoints(column.max_points)}`
  return [of, whyNotCounted(column) ?? weight].filter(Boolean).join(' · ')
}

interface HeadingProps {
  sortKey: SortKey
  index: number
  label: string
  mean?: number | null
  at: Place
  sort: BookSort
  setSort: (sort: BookSort) => void
  setPlace: (place: Place) => void
  className: string | undefined
  left?: number
  quiet?: boolean
  children?: ReactNode
}

function Heading({ sortKey, index, label, mean, at, sort, setSort, setPlace, ...more }: HeadingProps) {
  const sorted = sort.key === sortKey
  const Arrow = sort.direction === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sorted ? sort.direction : 'none'}
      className={more.className}
      data-quiet={more.quiet || undefined}
      style={more.left === undefined ? undefined : { translate: `${more.left}px` }}
    >
      <button
        type="button"
        className={classes.sort}
        tabIndex={at.row === -1 && at.column === index ? 0 : -1}
        onClick={() => setSort(nextSort(sortKey, sort))}
        onFocus={() => setPlace({ row: -1, column: index })}
        title={label}
      >
        <span className={classes.label}>{label}</span>
        {sorted && <Arrow size={14} aria-hidden />}
      </button>
      {more.children && <span className={classes.note}>{more.children}</span>}
      {mean !== undefined && (
        <span className={classes.note}>{mean === null ? 'no mean yet' : `mean ${formatPercent(mean)}`}</span>
      )}
    </div>
  )
}

interface RowProps {
  row: GradebookRow
  index: number
  top: number
  columns: GradebookColumn[]
  base: string
  /** Indexes of the columns drawn, as text, so that a row is drawn again only when they change. */
  inSight: string
  focused: number | null
  setPlace: (place: Place) => void
}

const Row = memo(function Row({ row, index, top, columns, base, inSight, focused, setPlace }: RowProps) {
  const name = nameOf(row)
  const tabIndex = (column: number) => (focused === column ? 0 : -1)
  const reach = (column: number) => () => setPlace({ row: index, column })
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={{ translate: `0 ${top}px` }}>
      <div
        role="rowheader"
        aria-colindex={1}
        className={classes.name}
        tabIndex={tabIndex(0)}
        onFocus={reach(0)}
        title={name}
      >
        <span className={classes.label}>{name}</span>
        <span className={classes.note}>{row.student_number ?? row.username}</span>
      </div>
      <div role="gridcell" aria-colindex={2} className={classes.total} tabIndex={tabIndex(1)} onFocus={reach(1)}>
        {row.total === null ? (
          <span className="dim">N/A</span>
        ) : (
          <>
            <span className={`band ${classes.percent}`} data-band={gradeBand(row.total)}>
              {formatPercent(row.total)}
            </span>
            <span className={classes.note}>{letterGrade(row.total)}</span>
          </>
        )}
      </div>
      {inSight.split(' ').map((text) => {
        const i = Number(text)
        const column = columns[i]
        return (
          column && (
            <Cell
              key={column.assignment_id}
              cell={row.cells[i] ?? null}
              column={column}
              index={i}
              base={base}
              tabIndex={tabIndex(i + FIXED)}
              reach={reach(i + FIXED)}
            />
          )
        )
      })}
    </div>
  )
})

interface CellProps {
  cell: GradebookCell | null
  column: GradebookColumn
  index: number
  base: string
  tabIndex: number
  reach: () => void
}

/** Where there is a paper, its link has the focus instead of the cell. */
function Cell({ cell, column, index, base, tabIndex, reach }: CellProps) {
  const words = cellInWords(cell, column)
  const said = { 'aria-label': words, title: words }
  const look = {
    className: classes.inner,
    'data-state': cell?.state,
    'data-dropped': cell?.dropped,
    'data-quiet': whyNotCounted(column) !== null || undefined,
  }
  const content = <CellContent cell={cell} column={column} />
  const link = cell?.submission_id && `${base}/${column.assignment_id}/submissions/${cell.submission_id}`
  return (
    <div
      role="gridcell"
      aria-colindex={index + FIXED + 1}
      className={classes.column}
      style={{ translate: `${index * SIZES.column}px` }}
      {...(link ? {} : said)}
      tabIndex={link ? undefined : tabIndex}
      onFocus={link ? undefined : reach}
    >
      {link ? (
        <a href={link} tabIndex={tabIndex} onFocus={reach} {...look} {...said}>
          {content}
        </a>
      ) : (
        <span {...look}>{content}</span>
      )}
    </div>
  )
}

function CellContent({ cell, column }: Pick<CellProps, 'cell' | 'column'>) {
  const points = pointsOf(cell, column)
  if (!points)
    return <span className={classes.word}>{cell?.state === 'ungraded' ? 'to grade' : (cell?.state ?? '–')}</span>
  const percent = exactPercent(points)
  return (
    <>
      <span className={classes.points}>
        {formatPoints(points.given)}
        {cell?.late && <IconClockExclamation size={14} aria-hidden />}
        {cell?.shared && <IconUsers size={14} aria-hidden />}
      </span>{' '}
      <span className={`band ${classes.percent}`} data-band={gradeBand(percent)}>
        {formatPercent(percent)}
      </span>
    </>
  )
}
