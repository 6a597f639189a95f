import type { Concern, StudentPerformance, StudentTrend } from '@assay/shared/analytics.ts'
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { CompletionBar } from '../../../components/display/CompletionBar.tsx'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { DataTable } from '../../../components/layout/DataTable.tsx'
import { Panel } from '../../../components/layout/Page.tsx'
import { formatDate, formatPercent, plural } from '../../../lib/format.ts'
import { TrendBadge } from '../TrendBadge.tsx'
import classes from './StudentsPanel.module.css'

/** Drawing a thousand would make every change slow. */
const PER_PAGE = 50

export function StudentsPanel({ students }: { students: StudentPerformance[] }) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [sorting, setSorting] = useState(initialSorting)
  const [page, setPage] = useState(1)
  const sorted = useMemo(() => sortStudents(students, sorting), [students, sorting])
  const pages = Math.max(1, Math.ceil(sorted.length / PER_PAGE))
  const current = Math.min(page, pages)
  const shown = sorted.slice((current - 1) * PER_PAGE, current * PER_PAGE)
  const struggling = students.filter(({ is_struggling }) => is_struggling).length

  function sort(column: SortColumn) {
    setSorting((now) => nextSorting(now, column))
    setPage(1)
  }
  const List = onPhone ? StudentCards : StudentTable
  return (
    <Panel
      title="Student Performance"
      actions={struggling > 0 && <span className={classes.count}>{plural(struggling, 'student')} may need help</span>}
    >
      {students.length === 0 ? (
        <p className={classes.none}>No student performance data available yet.</p>
      ) : (
        <>
          <VisuallyHidden role="status">{sortAnnouncement(sorting)}</VisuallyHidden>
          <List students={shown} sorting={sorting} sort={sort} />
        </>
      )}
      {pages > 1 && (
        <ListPagination page={current} setPage={setPage} perPage={PER_PAGE} total={sorted.length} itemName="student" />
      )}
    </Panel>
  )
}

const columns: [SortColumn, string][] = [
  ['student_name', 'Name'],
  ['completion_rate', 'Completion'],
  ['average_grade', 'Grade'],
]

function StudentCards({ students, sorting, sort }: SortableStudents) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div className={classes.cardSort} role="group" aria-label="Sort by">
        {columns.map(([column, label]) => (
          <UnstyledButton
            key={column}
            className={classes.button}
            aria-pressed={sorting.column === column}
            onClick={() => sort(column)}
          >
            {label}
            <SortArrow sorting={sorting} column={column} />
            {sorting.column === column && <VisuallyHidden>{sorting.direction}</VisuallyHidden>}
          </UnstyledButton>
        ))}
      </div>
      <ul className={classes.cards} aria-label="Student performance">
        {students.map((student) => (
          <li key={student.student_id} data-struggling={student.is_struggling || undefined}>
            <div className={classes.cardTop}>
              <StudentName student={student} />
              <TrendBadge trend={student.performance_trend} />
            </div>
            <Completion student={student} />
            <dl className={classes.facts}>
              <div>
                <dt>Assignments</dt>
                <dd>
                  {student.completed_assignments} / {student.total_assignments}
                </dd>
              </div>
              <div>
                <dt>Average Grade</dt>
                <dd>
                  <AverageGrade student={student} />
                </dd>
              </div>
              <div>
                <dt>Last Activity</dt>
                <dd>
                  <LastActivity student={student} />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

interface SortableStudents {
  students: StudentPerformance[]
  sorting: Sorting
  sort: (column: SortColumn) => void
}

function StudentTable({ students, sorting, sort }: SortableStudents) {
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
            <th scope="row" className={classes.whoCell}>
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
      <UnstyledButton className={classes.columnSort} data-sorted={sorted || undefined} onClick={() => sort(column)}>
        {label}
        <SortArrow sorting={sorting} column={column} />
      </UnstyledButton>
    </th>
  )
}

function SortArrow({ sorting, column }: { sorting: Sorting; column: SortColumn }) {
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

function StudentName({ student }: Props) {
  return (
    <div className={classes.who}>
      <span className={classes.name} title={student.student_name}>
        {student.student_name}
      </span>
      {student.is_struggling && (
        <span className={classes.concerns}>
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

function Completion({ student: { completion_rate } }: Props) {
  if (completion_rate === null) return <span className="dim">N/A</span>
  return (
    <div className={classes.completion}>
      <span className="numbers">{formatPercent(completion_rate)}</span>
      {completion_rate < 100 && <CompletionBar percent={completion_rate} label="Completion rate" />}
    </div>
  )
}

function AverageGrade({ student: { average_grade } }: Props) {
  if (average_grade === null) return <span className="dim">N/A</span>
  return <ScoreBadge score={average_grade} />
}

function LastActivity({ student: { last_activity } }: Props) {
  if (last_activity === null) return 'Never'
  return <time dateTime={last_activity}>{formatDate(last_activity)}</time>
}

type SortColumn = 'student_name' | 'completion_rate' | 'average_grade' | 'performance_trend'
type SortDirection = 'ascending' | 'descending'

interface Sorting {
  column: SortColumn
  direction: SortDirection
}

const initialSorting: Sorting = { column: 'completion_rate', direction: 'descending' }

function nextSorting(now: Sorting, column: SortColumn): Sorting {
  if (now.column !== column) return { column, direction: 'descending' }
  return { column, direction: now.direction === 'descending' ? 'ascending' : 'descending' }
}

const trends: StudentTrend[] = ['declining', 'stable', 'improving']

function compare(a: StudentPerformance, b: StudentPerformance, { column, direction }: Sorting): number {
  const sign = direction === 'ascending' ? 1 : -1
  if (column === 'student_name') return sign * a.student_name.localeCompare(b.student_name)
  const [x, y] = [sortValue(a, column), sortValue(b, column)]
  // Missing values rank last in either direction.
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  return sign * (x - y)
}

function sortValue(student: StudentPerformance, column: Exclude<SortColumn, 'student_name'>): number | null {
  if (column !== 'performance_trend') return student[column]
  return student.performance_trend === null ? null : trends.indexOf(student.performance_trend)
}

function sortStudents(students: StudentPerformance[], sorting: Sorting): StudentPerformance[] {
  return students.toSorted((a, b) => compare(a, b, sorting))
}

function sortAnnouncement({ column, direction }: Sorting): string {
  return `Table sorted by ${column.replaceAll('_', ' ')} in ${direction} order`
}
