import {
  type CourseAnalytics,
  type GradeDistribution,
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
} from '@assay/shared/analytics.ts'
import { gradeBand } from '@assay/shared/rules/letter-grades.ts'
import { roundPercent } from '@assay/shared/rules/points.ts'
import type { Router } from 'express'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import type { Services } from '../../services.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourseFor } from '../courses/course.service.ts'
import { countEnrolled } from '../courses/enrollment-queries.ts'
import { courseQuestionStatistics } from './course-question-statistics.ts'
import { gradeStats, rateOf } from './grade-stats.ts'
import { studentPerformances } from './student-performance.ts'

export function analyticsRoutes(router: Router, { clock }: Services): void {
  const open = (actor: Actor, courseId: number) => requireCourseFor(actor, courseId, canTeach, clock.now())

  handle(router, getCourseAnalytics, async ({ params, actor }) =>
    courseAnalytics(await open(actor, params.courseId), clock.now()),
  )

  handle(router, getGradeDistribution, async ({ params, actor }) =>
    gradeDistribution(await open(actor, params.courseId)),
  )

  handle(router, listStudentPerformance, async ({ params, query, actor, setTotal }) => {
    const course = await open(actor, params.courseId)
    setTotal(await countEnrolled(course._id))
    return studentPerformances(course, query)
  })

  handle(router, listQuestionStatistics, async ({ params, query, actor }) =>
    courseQuestionStatistics(await open(actor, params.courseId), query.assignment_id),
  )
}

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

async function courseAnalytics(course: CourseDoc, now: Date): Promise<CourseAnalytics> {
  const [figures, enrolled] = await Promise.all([publishedGradeStats(course), countEnrolled(course._id)])
  const count = total(figures, 'count')
  const average = count === 0 ? null : roundPercent(total(figures, 'sum') / count)
  const band = gradeBand(average)
  return {
    last_updated: now.toISOString(),
    course_average_grade: average,
    overall_completion_rate: rateOf(total(figures, 'students'), enrolled * figures.length),
    total_graded_items: count,
    total_enrolled_students: enrolled,
    total_assignments: figures.length,
    performance_trend: band === 'incomplete' ? null : performanceByBand[band],
  }
}

async function gradeDistribution(course: CourseDoc): Promise<GradeDistribution> {
  const figures = await publishedGradeStats(course)
  const total_grades = total(figures, 'count')
  return {
    total_grades,
    grade_ranges: Array.from({ length: 10 }, (_, tenth) => {
      const count = figures.reduce((sum, { tenths }) => sum + (tenths[tenth] ?? 0), 0)
      return {
        range: `${tenth * 10}-${tenth === 9 ? 100 : tenth * 10 + 9}`,
        count,
        percentage: rateOf(count, total_grades) ?? 0,
      }
    }),
  }
}
