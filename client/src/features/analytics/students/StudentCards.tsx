import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { TrendBadge } from '../TrendBadge.tsx'
import classes from './StudentCards.module.css'
import { AverageGrade, Completion, LastActivity, StudentName } from './StudentCells.tsx'
import { SortArrow, type SortableStudents } from './StudentTable.tsx'
import type { SortColumn } from './sort-students.ts'

const columns: [SortColumn, string][] = [
  ['student_name', 'Name'],
  ['completion_rate', 'Completion'],
  ['average_grade', 'Grade'],
]

/** The table's rows on a phone. */
export function StudentCards({ students, sorting, sort }: SortableStudents) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div className={classes.sort} role="group" aria-label="Sort by">
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
      <ul className={classes.list} aria-label="Student performance">
        {students.map((student) => (
          <li key={student.student_id} data-struggling={student.is_struggling || undefined}>
            <div className={classes.top}>
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
