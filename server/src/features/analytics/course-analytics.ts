import type { CourseAnalytics, CoursePerformance, GradeDistribution } from '@assay/shared/analytics.ts'
import { gradeBand } from '@assay/shared/rules/letter-grades.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { countEnrolled } from '../courses/enrollment-queries.ts'
import { gradeStats } from './grade-stats.ts'
import { oneDecimal, percentOf } from './percent.ts'

async function publishedGradeStats(course: CourseDoc): Promise<GradeStats[]> {
  const published = await assignmentsOfCourse(course._id, { publishedOnly: true })
  const ids = published.map(({ _id }) => _id)
  return [...(await gradeStats(course._id, ids)).values()]
}

const total = (figures: GradeStats[], field: 'count' | 'sum' | 'students') =>
  figures.reduce((sum, one) => sum + one[field], 0)

const performanceByBand = {
  excellent: 'excellent',
  good: 'good',
  satisfactory: 'fair',
  needsWork: 'needs_improvement',
} as const

/** By the bands that scores are coloured by: 90, 80 and 70. */
function coursePerformance(average: number | null): CoursePerformance | null {
  const band = gradeBand(average)
  return band === 'incomplete' ? null : performanceByBand[band]
}

export async function courseAnalytics(course: CourseDoc, now: Date): Promise<CourseAnalytics> {
  const [figures, enrolled] = await Promise.all([publishedGradeStats(course), countEnrolled(course._id)])
  const count = total(figures, 'count')
  const average = count === 0 ? null : oneDecimal(total(figures, 'sum') / count)
  return {
    last_updated: now.toISOString(),
    course_average_grade: average,
    overall_completion_rate: percentOf(total(figures, 'students'), enrolled * figures.length),
    total_graded_items: count,
    total_enrolled_students: enrolled,
    total_assignments: figures.length,
    performance_trend: coursePerformance(average),
  }
}

export async function gradeDistribution(course: CourseDoc): Promise<GradeDistribution> {
  const figures = await publishedGradeStats(course)
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
