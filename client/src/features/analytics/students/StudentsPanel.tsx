import type { StudentPerformance } from '@assay/shared/analytics.ts'
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { ListPagination } from '../../../components/display/ListPagination.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { plural } from '../../../lib/format.ts'
import { TrendBadge } from '../TrendBadge.tsx'
import studentCardsClasses from './StudentCards.module.css'
import classes from './StudentsPanel.module.css'
import {
  AverageGrade,
  Completion,
  initialSorting,
  LastActivity,
  nextSorting,
  SortArrow,
  type SortableStudents,
  type SortColumn,
  StudentName,
  StudentTable,
  sortAnnouncement,
  sortStudents,
} from './StudentTable.tsx'

/** Rows drawn at once; a thousand would make every change slow. */
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
      <div className={studentCardsClasses.sort} role="group" aria-label="Sort by">
        {columns.map(([column, label]) => (
          <UnstyledButton
            key={column}
            className={studentCardsClasses.button}
            aria-pressed={sorting.column === column}
            onClick={() => sort(column)}
          >
            {label}
            <SortArrow sorting={sorting} column={column} />
            {sorting.column === column && <VisuallyHidden>{sorting.direction}</VisuallyHidden>}
          </UnstyledButton>
        ))}
      </div>
      <ul className={studentCardsClasses.list} aria-label="Student performance">
        {students.map((student) => (
          <li key={student.student_id} data-struggling={student.is_struggling || undefined}>
            <div className={studentCardsClasses.top}>
              <StudentName student={student} />
              <TrendBadge trend={student.performance_trend} />
            </div>
            <Completion student={student} />
            <dl className={studentCardsClasses.facts}>
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
