import {
  type Concern,
  type CourseAnalytics,
  type GradeDistribution,
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
  type StudentTrend,
} from '@assay/shared/analytics.ts'
import { courseTotal, type GradeInCourse } from '@assay/shared/rules/course-total.ts'
import { gradeBand } from '@assay/shared/rules/letter-grades.ts'
import { exactPercent, roundPercent } from '@assay/shared/rules/points.ts'
import type { Router } from 'express'
import { type Actor, handle } from '../../lib/http/handle.ts'
import { mean } from '../../lib/numbers.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames } from '../anonymity/hidden-names.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { canTeach, gradebookRulesOf, requireCourseFor } from '../courses/course.service.ts'
import { countEnrolled, listEnrolledStudents } from '../courses/enrollment-queries.ts'
import { releasedScoresOfStudents } from '../grades/release.service.ts'
import { submissionDatesOfStudents } from '../submissions/submission-queries.ts'
import { gradeStats, newestReleases, rateOf } from './grade-statistics.ts'
import { courseQuestionStatistics } from './question-statistics.ts'

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
  const trend = band === 'incomplete' ? null : performanceByBand[band]
  const graded = figures.filter((one) => one.count > 0).length
  return {
    last_updated: now.toISOString(),
    course_average_grade: average,
    overall_completion_rate: rateOf(total(figures, 'students'), enrolled * figures.length),
    total_graded_items: count,
    total_enrolled_students: enrolled,
    total_assignments: figures.length,
    // One weak quiz says nothing of a course yet.
    performance_trend: trend === 'needs_improvement' && graded < 2 ? null : trend,
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

async function studentPerformances(course: CourseDoc, paging: { skip: number; limit: number }) {
  const [students, newestFirst] = await Promise.all([
    listEnrolledStudents(course._id, paging, { counted: true }),
    assignmentsOfCourse(course._id, { publishedOnly: true }),
  ])
  // A student's score and date would tell which of the papers without names is theirs.
  const assignments = newestFirst.filter((assignment) => !hidesNames(assignment)).toReversed()
  const ids = students.map(({ id }) => id)
  const [grades, activity, graded] = await Promise.all([
    findGrades(ids, assignments),
    findLastSubmissionDates(ids, assignments),
    countGradedAssignments(course, assignments),
  ])
  return students.map(({ id, username, full_name }) => {
    const own = grades.get(id) ?? []
    const { percent } = courseTotal(own, gradebookRulesOf(course))
    const average = percent === null ? null : roundPercent(percent)
    const trend = scoreTrend(own.map(({ points }) => exactPercent(points)))
    const concerns = findConcerns({ average, trend, graded, completed: own.length })
    return {
      student_id: id,
      student_name: full_name ?? username,
      completion_rate: rateOf(own.length, assignments.length),
      average_grade: average,
      performance_trend: trend,
      completed_assignments: own.length,
      total_assignments: assignments.length,
      last_activity: activity.get(id)?.toISOString() ?? null,
      is_struggling: concerns.length > 0,
      concerns,
    }
  })
}

const idsOf = (assignments: AssignmentOverview[]) => assignments.map(({ _id }) => _id)

async function findGrades(studentIds: number[], assignments: AssignmentOverview[]) {
  const releases = await releasedScoresOfStudents(studentIds, idsOf(assignments))
  const byAssignment = Map.groupBy(releases, ({ assignment_id }) => assignment_id)
  const grades = new Map<number, GradeInCourse[]>()
  for (const { _id } of assignments) {
    for (const { student_id, points } of newestReleases(byAssignment.get(_id) ?? [])) {
      if (student_id === null || points === null) continue
      const own = grades.get(student_id) ?? []
      grades.set(student_id, own)
      own.push({ assignment_id: _id, points })
    }
  }
  return grades
}

async function findLastSubmissionDates(studentIds: number[], assignments: AssignmentOverview[]) {
  const papers = await submissionDatesOfStudents(studentIds, idsOf(assignments))
  const last = new Map<number, Date>()
  for (const { student_id, created_at } of papers) {
    if (student_id === null) continue
    const known = last.get(student_id)
    if (!known || known < created_at) last.set(student_id, created_at)
  }
  return last
}

async function countGradedAssignments(course: CourseDoc, assignments: AssignmentOverview[]): Promise<number> {
  const figures = await gradeStats(course._id, idsOf(assignments))
  return [...figures.values()].filter(({ count }) => count > 0).length
}

/** A smaller difference, in percent points, may be chance. */
const MIN_TREND_POINTS = 5

/** The later half against the earlier one, without the middle of an odd number. */
export function scoreTrend(scores: number[]): StudentTrend | null {
  const half = Math.floor(scores.length / 2)
  if (half === 0) return null
  const change = mean(scores.slice(-half)) - mean(scores.slice(0, half))
  if (change >= MIN_TREND_POINTS) return 'improving'
  return change <= -MIN_TREND_POINTS ? 'declining' : 'stable'
}

interface Progress {
  average: number | null
  trend: StudentTrend | null
  graded: number
  completed: number
}

const FAILS_BELOW = 65
const LOW_BELOW = 70
const MIN_COMPLETION = 0.6

/** One missing paper, or one weak grade, is no concern yet; assignments nobody has a grade in do not count. */
export function findConcerns({ average, trend, graded, completed }: Progress): Concern[] {
  const missing = graded - completed
  return [
    ...(average !== null && average < FAILS_BELOW && completed >= 2 ? (['low_average'] as const) : []),
    ...(missing >= 2 && completed < graded * MIN_COMPLETION ? (['missing_work'] as const) : []),
    ...(trend === 'declining' && average !== null && average < LOW_BELOW ? (['falling'] as const) : []),
  ]
}
