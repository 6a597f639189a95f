import type { CourseAnalytics, CourseStanding, GradeDistribution } from '@assay/shared/analytics.ts'
import { gradeBand } from '@assay/shared/rules/letters.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { countEnrolled } from '../courses/enrollment.service.ts'
import type { GradeFigures } from './analytics.model.ts'
import { gradeFigures } from './grade-figures.ts'
import { oneDecimal, percentOf } from './percent.ts'

async function publishedFigures(course: CourseDoc): Promise<GradeFigures[]> {
  const published = await assignmentsOfCourse(course._id, { publishedOnly: true })
  const ids = published.map(({ _id }) => _id)
  return [...(await gradeFigures(course._id, ids)).values()]
}

const total = (figures: GradeFigures[], field: 'count' | 'sum' | 'students') =>
  figures.reduce((sum, one) => sum + one[field], 0)

const standings = {
  excellent: 'excellent',
  good: 'good',
  satisfactory: 'fair',
  needsWork: 'needs_improvement',
} as const

/** By the bands that scores are coloured by: 90, 80 and 70. */
export function standingOf(average: number | null): CourseStanding | null {
  const band = gradeBand(average)
  return band === 'incomplete' ? null : standings[band]
}

export async function analyseCourse(course: CourseDoc, now: Date): Promise<CourseAnalytics> {
  const [figures, enrolled] = await Promise.all([publishedFigures(course), countEnrolled(course._id)])
  const count = total(figures, 'count')
  const average = count === 0 ? null : oneDecimal(total(figures, 'sum') / count)
  return {
    last_updated: now.toISOString(),
    course_average_grade: average,
    overall_completion_rate: percentOf(total(figures, 'students'), enrolled * figures.length),
    total_graded_items: count,
    total_enrolled_students: enrolled,
    total_assignments: figures.length,
    performance_trend: standingOf(average),
  }
}

export async function distributeGrades(course: CourseDoc): Promise<GradeDistribution> {
  const figures = await publishedFigures(course)
  const total_grades = total(figures, 'count')
  return {
    total_grades,
    grade_ranges: Array.from({ length: 10 }, (_, tenth) => {
      const count = figures.reduce((sum, { tenths }) => sum + (tenths[tenth] ?? 0), 0)
      return {
        range: `${tenth * 10}-${tenth === 9 ? 100 : tenth * 10 + 9}`,
        count,
        percentage: percentOf(count, total_grades) ?? 0,
      }
    }),
  }
}
