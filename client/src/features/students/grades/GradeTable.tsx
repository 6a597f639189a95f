import { exactPercent, letterGrade, performanceMessage, pointsInWords } from '@assay/shared/rules/points.ts'
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

const gradeColumns = ['assignment_title', 'course_name', 'overall_score', 'graded_at'] as const
type GradeColumn = (typeof gradeColumns)[number]

interface GradeOrder {
  column: GradeColumn
  direction: 'ascending' | 'descending'
}

const columnLabels: Record<GradeColumn, string> = {
  assignment_title: 'Assignment',
  course_name: 'Course',
  overall_score: 'Score',
  graded_at: 'Graded',
}

/** Words from A, figures and dates from the top: what one looks for first. */
const firstDirection: Record<GradeColumn, GradeOrder['direction']> = {
  assignment_title: 'ascending',
  course_name: 'ascending',
  overall_score: 'descending',
  graded_at: 'descending',
}

export function nextGradeOrder(column: GradeColumn, now: GradeOrder): GradeOrder {
  if (column !== now.column) return { column, direction: firstDirection[column] }
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
  const columns = gradeColumns.filter((column) => withCourse || column !== 'course_name')

  function sortBy(column: GradeColumn) {
    const next = nextGradeOrder(column, order)
    setOrder(next)
    setAnnounced(`Table sorted by ${columnLabels[column]} in ${next.direction} order`)
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
                  {columnLabels[column]}
                  {column === order.column && <Arrow direction={order.direction} />}
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

function Arrow({ direction }: Pick<GradeOrder, 'direction'>) {
  const Icon = direction === 'ascending' ? IconArrowUp : IconArrowDown
  return <Icon size={14} aria-hidden />
}

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
