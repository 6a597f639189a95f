import type { StudentPerformance } from '@assay/shared/analytics.ts'
import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { TrendBadge } from '../TrendBadge.tsx'
import { AverageGrade, Completion, LastActivity, StudentName } from './StudentCells.tsx'
import classes from './StudentTable.module.css'
import type { SortColumn, Sorting } from './sort-students.ts'

export interface SortableStudents {
  students: StudentPerformance[]
  sorting: Sorting
  sort: (column: SortColumn) => void
}

export function StudentTable({ students, sorting, sort }: SortableStudents) {
  const sortable = { sorting, sort }
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
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
      </table>
    </div>
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
