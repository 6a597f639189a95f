import { letterGrade, performanceMessage } from '@assay/shared/rules/letter-grades.ts'
import { exactPercent, pointsInWords } from '@assay/shared/rules/points.ts'
import type { RecentGrade, StudentCourse } from '@assay/shared/students.ts'
import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { formatDate, plural } from '../../../lib/format.ts'
import { studentAssignmentPath, studentCourseGradesPath } from '../../../paths.ts'
import { LargeScore } from '../../grades/LargeScore.tsx'
import classes from './GradeTable.module.css'

/** Words begin from A, figures and dates from the top: what one looks for first. */
const gradeColumns = {
  assignment_title: { label: 'Assignment', first: 'ascending' },
  course_name: { label: 'Course', first: 'ascending' },
  overall_score: { label: 'Score', first: 'descending' },
  graded_at: { label: 'Graded', first: 'descending' },
} as const

type GradeColumn = keyof typeof gradeColumns

interface GradeOrder {
  column: GradeColumn
  direction: 'ascending' | 'descending'
}

export function nextGradeOrder(column: GradeColumn, now: GradeOrder): GradeOrder {
  if (column !== now.column) return { column, direction: gradeColumns[column].first }
  return { column, direction: now.direction === 'ascending' ? 'descending' : 'ascending' }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compare(a: RecentGrade, b: RecentGrade, column: GradeColumn): number {
  if (column === 'overall_score') return exactPercent(a.points) - exactPercent(b.points)
  if (column === 'graded_at') return Date.parse(a.graded_at) - Date.parse(b.graded_at)
  return collator.compare(a[column], b[column])
}

/** Stable: of equal ones the newest comes first, as sent. */
export function sortGrades(grades: readonly RecentGrade[], { column, direction }: GradeOrder): RecentGrade[] {
  const sign = direction === 'ascending' ? 1 : -1
  return grades.toSorted((a, b) => sign * compare(a, b, column))
}

export function GradeTable({ grades, withCourse = true }: { grades: RecentGrade[]; withCourse?: boolean }) {
  const [order, setOrder] = useState<GradeOrder>({ column: 'graded_at', direction: 'descending' })
  const [announced, setAnnounced] = useState('')
  const all = Object.keys(gradeColumns) as GradeColumn[]
  const columns = all.filter((column) => withCourse || column !== 'course_name')

  const Arrow = order.direction === 'ascending' ? IconArrowUp : IconArrowDown

  function sortBy(column: GradeColumn) {
    const next = nextGradeOrder(column, order)
    setOrder(next)
    setAnnounced(`Table sorted by ${gradeColumns[column].label} in ${next.direction} order`)
  }

  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className="visually-hidden">Released grades</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                aria-sort={column === order.column ? order.direction : undefined}
                data-column={column}
              >
                <UnstyledButton className={classes.sort} onClick={() => sortBy(column)}>
                  {gradeColumns[column].label}
                  {column === order.column && <Arrow size={14} aria-hidden />}
                </UnstyledButton>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortGrades(grades, order).map((grade) => (
            <tr key={grade.assignment_id}>
              <td className={classes.title}>
                <Link to={studentAssignmentPath(grade.assignment_id)}>{grade.assignment_title}</Link>
              </td>
              {withCourse && (
                <td className={classes.course}>
                  <Link to={studentCourseGradesPath(grade.course_id)}>{grade.course_name}</Link>
                </td>
              )}
              <td className={classes.score} aria-label={scoreAriaLabel(grade)}>
                <ScoreBadge score={grade.overall_score} points={grade.points} />
              </td>
              <td className={classes.when}>
                <time dateTime={grade.graded_at}>{formatDate(grade.graded_at)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" className="visually-hidden">
        {announced}
      </p>
    </div>
  )
}

const scoreAriaLabel = ({ overall_score, points }: RecentGrade) =>
  `${overall_score.toFixed(1)} percent, ${letterGrade(overall_score)}, ${pointsInWords(points)}`

interface Props {
  average: StudentCourse['average']
  of?: string
  leftOut?: number
}

export function AverageGradeCard({ average, of, leftOut = 0 }: Props) {
  const score = average?.score ?? null
  return (
    <section className={classes.average} aria-labelledby="average">
      <h2 id="average" className={classes.averageTitle}>
        Average{of && ` in ${of}`}
      </h2>
      <LargeScore score={score} />
      <p className={classes.averageWords}>
        {performanceMessage(score)}
        {average && <span> · of {plural(average.grades, 'grade')}</span>}
        {leftOut > 0 && <span> · {plural(leftOut, 'grade does', 'grades do')} not count</span>}
      </p>
    </section>
  )
}
