import type { Concern, StudentPerformance, StudentTrend } from '@assay/shared/analytics.ts'
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { DataTable } from '../../../components/layout/DataTable.tsx'
import { formatDate, formatPercent } from '../../../lib/format.ts'
import { CompletionBar } from '../../students/courses/CompletionBar.tsx'
import { TrendBadge } from '../TrendBadge.tsx'
import studentCellsClasses from './StudentCells.module.css'
import classes from './StudentTable.module.css'

export interface SortableStudents {
  students: StudentPerformance[]
  sorting: Sorting
  sort: (column: SortColumn) => void
}

export function StudentTable({ students, sorting, sort }: SortableStudents) {
  const sortable = { sorting, sort }
  return (
    <DataTable className={classes.table}>
      <thead>
        <tr>
          <SortableHead column="student_name" label="Student Name" {...sortable} />
          <SortableHead column="completion_rate" label="Completion Rate" {...sortable} />
          <th scope="col">Assignments</th>
          <SortableHead column="average_grade" label="Average Grade" {...sortable} />
          <SortableHead column="performance_trend" label="Trend" {...sortable} />
          <th scope="col">Last Activity</th>
        </tr>
      </thead>
      <tbody>
        {students.map((student) => (
          <tr key={student.student_id} data-struggling={student.is_struggling || undefined}>
            <th scope="row" className={classes.who}>
              <StudentName student={student} />
            </th>
            <td className={classes.rate}>
              <Completion student={student} />
            </td>
            <td className="numbers">
              {student.completed_assignments} / {student.total_assignments}
            </td>
            <td>
              <AverageGrade student={student} />
            </td>
            <td>
              <TrendBadge trend={student.performance_trend} />
            </td>
            <td className={classes.when}>
              <LastActivity student={student} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

interface HeadProps {
  column: SortColumn
  label: string
  sorting: Sorting
  sort: (column: SortColumn) => void
}

function SortableHead({ column, label, sorting, sort }: HeadProps) {
  const sorted = sorting.column === column
  return (
    <th scope="col" aria-sort={sorted ? sorting.direction : 'none'}>
      <UnstyledButton className={classes.sort} data-sorted={sorted || undefined} onClick={() => sort(column)}>
        {label}
        <SortArrow sorting={sorting} column={column} />
      </UnstyledButton>
    </th>
  )
}

/** Takes the same space where the list is sorted by another column, so that nothing moves. */
export function SortArrow({ sorting, column }: { sorting: Sorting; column: SortColumn }) {
  const Arrow = sorting.column === column && sorting.direction === 'ascending' ? IconArrowUp : IconArrowDown
  return <Arrow size={14} stroke={2} aria-hidden visibility={sorting.column === column ? undefined : 'hidden'} />
}

interface Props {
  student: StudentPerformance
}

const concernLabels: Record<Concern, string> = {
  low_average: 'average below 65',
  missing_work: 'work missing',
  falling: 'grades falling',
}

export function StudentName({ student }: Props) {
  return (
    <div className={studentCellsClasses.who}>
      <span className={studentCellsClasses.name} title={student.student_name}>
        {student.student_name}
      </span>
      {student.is_struggling && (
        <span className={studentCellsClasses.concerns}>
          <IconAlertTriangle size={14} stroke={2} aria-hidden />
          <span>
            <VisuallyHidden>Struggling: </VisuallyHidden>
            {student.concerns.map((concern) => concernLabels[concern]).join(', ')}
          </span>
        </span>
      )}
    </div>
  )
}

export function Completion({ student: { completion_rate } }: Props) {
  if (completion_rate === null) return <span className="dim">N/A</span>
  return (
    <div className={studentCellsClasses.completion}>
      <span className="numbers">{formatPercent(completion_rate)}</span>
      <CompletionBar percent={completion_rate} label="Completion rate" />
    </div>
  )
}

export function AverageGrade({ student: { average_grade } }: Props) {
  if (average_grade === null) return <span className="dim">N/A</span>
  return <ScoreBadge score={average_grade} />
}

export function LastActivity({ student: { last_activity } }: Props) {
  if (last_activity === null) return 'Never'
  return <time dateTime={last_activity}>{formatDate(last_activity)}</time>
}

export type SortColumn = 'student_name' | 'completion_rate' | 'average_grade' | 'performance_trend'
type SortDirection = 'ascending' | 'descending'

export interface Sorting {
  column: SortColumn
  direction: SortDirection
}

export const initialSorting: Sorting = { column: 'completion_rate', direction: 'descending' }

export function nextSorting(now: Sorting, column: SortColumn): Sorting {
  if (now.column !== column) return { column, direction: 'descending' }
  return { column, direction: now.direction === 'descending' ? 'ascending' : 'descending' }
}

const trends: StudentTrend[] = ['declining', 'stable', 'improving']

function compare(a: StudentPerformance, b: StudentPerformance, { column, direction }: Sorting): number {
  const sign = direction === 'ascending' ? 1 : -1
  if (column === 'student_name') return sign * a.student_name.localeCompare(b.student_name)
  const [x, y] = [sortValue(a, column), sortValue(b, column)]
  // What is missing ranks last, whichever way round.
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  return sign * (x - y)
}

function sortValue(student: StudentPerformance, column: Exclude<SortColumn, 'student_name'>): number | null {
  if (column !== 'performance_trend') return student[column]
  return student.performance_trend === null ? null : trends.indexOf(student.performance_trend)
}

export function sortStudents(students: StudentPerformance[], sorting: Sorting): StudentPerformance[] {
  return students.toSorted((a, b) => compare(a, b, sorting))
}

export function sortAnnouncement({ column, direction }: Sorting): string {
  return `Table sorted by ${column.replaceAll('_', ' ')} in ${direction} order`
}
