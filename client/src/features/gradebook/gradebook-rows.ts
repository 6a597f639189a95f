import type { Gradebook, GradebookCell, GradebookColumn, GradebookRow } from '@assay/shared/gradebook.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import { exactPercent, type Points } from '@assay/shared/rules/points.ts'
import { formatPercent, formatPoints, plural } from '../../lib/format.ts'

/** A number is an assignment's index. */
export type SortKey = 'name' | 'total' | number

export interface BookSort {
  key: SortKey
  direction: 'ascending' | 'descending'
}

export const bookFilters = ['all', 'missing', 'late', 'below-90', 'below-80', 'below-70', 'below-65'] as const
export type BookFilter = (typeof bookFilters)[number]

export const filterLabels: Record<BookFilter, string> = {
  all: 'All students',
  missing: 'Missing work',
  late: 'Late work',
  'below-90': 'Total below 90%',
  'below-80': 'Total below 80%',
  'below-70': 'Total below 70%',
  'below-65': 'Total below 65%',
}

export function pointsOf(cell: GradebookCell | null | undefined, column: GradebookColumn | undefined): Points | null {
  const of = cell?.of ?? column?.max_points
  return cell?.points === undefined || of == null ? null : { given: cell.points, of }
}

function matches(row: GradebookRow, filter: BookFilter): boolean {
  if (filter === 'all') return true
  if (filter === 'missing') return row.cells.some((cell) => cell?.state === 'missing')
  if (filter === 'late') return row.cells.some((cell) => cell?.late)
  return row.total !== null && row.total < Number(filter.slice('below-'.length))
}

/** For searching names whatever the case or accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export function shownRows(
  { rows, columns }: Gradebook,
  { search, filter, sort }: { search: string; filter: BookFilter; sort: BookSort },
): GradebookRow[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    const text = plain(`${row.full_name ?? ''} ${row.username} ${row.student_number ?? ''}`)
    return matches(row, filter) && words.every((word) => text.includes(word))
  })
  const sign = sort.direction === 'ascending' ? 1 : -1
  const { key } = sort
  if (key === 'name') return found.sort((a, b) => sign * compareNames(a, b))
  const figureOf = (row: GradebookRow) => {
    if (key === 'total') return row.total
    const points = pointsOf(row.cells[key], columns[key])
    return points && exactPercent(points)
  }
  return found.sort((a, b) => {
    const [x, y] = [figureOf(a), figureOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || compareNames(a, b)
    return sign * (x - y) || compareNames(a, b)
  })
}

export function nextSort(key: SortKey, now: BookSort): BookSort {
  if (now.key !== key) return { key, direction: key === 'name' ? 'ascending' : 'descending' }
  return { key, direction: now.direction === 'ascending' ? 'descending' : 'ascending' }
}

export function sortAnnouncement(book: Gradebook, { key, direction }: BookSort, count: number): string {
  const by = key === 'name' ? 'surname' : key === 'total' ? 'total' : (book.columns[key]?.title ?? '')
  return `${count} of ${book.rows.length} students shown, sorted by ${by} in ${direction} order`
}

const stateWords = {
  unreleased: 'not released, so it does not count',
  newer: 'a newer grade or paper is not released',
  ungraded: 'to grade',
  missing: 'missing',
}

export function whyNotCounted(column: GradebookColumn): string | null {
  if (column.names_hidden) return 'Names hidden'
  if (column.status === 'draft') return 'Draft'
  return column.counts ? null : 'Not counted'
}

export function cellInWords(cell: GradebookCell | null | undefined, column: GradebookColumn): string {
  const points = pointsOf(cell, column)
  const parts = [
    points && `${formatPoints(points.given)}, ${formatPercent(exactPercent(points))} of ${plural(points.of, 'point')}`,
    cell?.state && stateWords[cell.state],
    cell?.late && 'late',
    cell?.shared && 'shared by a group',
    cell?.dropped && 'dropped as one of the lowest',
    cell && !column.counts && 'does not count',
  ].filter(Boolean)
  if (parts.length > 0) return parts.join(', ')
  return column.names_hidden ? 'hidden while names are' : 'no paper'
}
