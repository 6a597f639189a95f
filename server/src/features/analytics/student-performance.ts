import type { Concern, StudentPerformance, StudentTrend } from '@assay/shared/analytics.ts'
import type { CourseStudent } from '@assay/shared/courses.ts'
import { exactPercent, roundPercent } from '@assay/shared/rules/points.ts'
import { mean } from '../../lib/numbers.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { hidesNames } from '../anonymous-grading/present-student.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { listEnrolledStudents } from '../courses/enrollment-queries.ts'
import { releasedScoresOfStudents } from '../grades/release.service.ts'
import { submissionDatesOfStudents } from '../submissions/submission-queries.ts'
import { gradeStats, rateOf } from './grade-stats.ts'
import { newestReleases } from './newest-releases.ts'

/** Not cached, as it costs no more than the page is long. */
export async function studentPerformances(
  course: CourseDoc,
  paging: { skip: number; limit: number },
): Promise<StudentPerformance[]> {
  const [students, newestFirst] = await Promise.all([
    listEnrolledStudents(course._id, paging, { counted: true }),
    assignmentsOfCourse(course._id, { publishedOnly: true }),
  ])
  // A student's score and date would tell which of the papers without names is theirs.
  const assignments = newestFirst.filter((assignment) => !hidesNames(assignment)).toReversed()
  const ids = students.map(({ id }) => id)
  const [scores, activity, graded] = await Promise.all([
    findScores(ids, assignments),
    findLastSubmissionDates(ids, assignments),
    countGradedAssignments(course, assignments),
  ])
  return students.map((student) =>
    presentPerformance(student, {
      scores: scores.get(student.id) ?? [],
      lastActivity: activity.get(student.id) ?? null,
      assignments: assignments.length,
      graded,
    }),
  )
}

interface StudentWork {
  /** In the assignments' order. */
  scores: number[]
  lastActivity: Date | null
  assignments: number
  graded: number
}

function presentPerformance(
  student: CourseStudent,
  { scores, lastActivity, assignments, graded }: StudentWork,
): StudentPerformance {
  const average = scores.length === 0 ? null : roundPercent(mean(scores))
  const trend = scoreTrend(scores)
  const concerns = findConcerns({ average, trend, graded, completed: scores.length })
  return {
    student_id: student.id,
    student_name: student.full_name ?? student.username,
    completion_rate: rateOf(scores.length, assignments),
    average_grade: average,
    performance_trend: trend,
    completed_assignments: scores.length,
    total_assignments: assignments,
    last_activity: lastActivity?.toISOString() ?? null,
    is_struggling: concerns.length > 0,
    concerns,
  }
}

const idsOf = (assignments: AssignmentOverview[]) => assignments.map(({ _id }) => _id)

async function findScores(studentIds: number[], assignments: AssignmentOverview[]): Promise<Map<number, number[]>> {
  const releases = await releasedScoresOfStudents(studentIds, idsOf(assignments))
  const byAssignment = Map.groupBy(releases, ({ assignment_id }) => assignment_id)
  const scores = new Map<number, number[]>()
  for (const { _id } of assignments) {
    for (const { student_id, points } of newestReleases(byAssignment.get(_id) ?? [])) {
      if (student_id === null || points === null) continue
      const own = scores.get(student_id) ?? []
      scores.set(student_id, own)
      own.push(exactPercent(points))
    }
  }
  return scores
}

/** Graded or not. */
async function findLastSubmissionDates(
  studentIds: number[],
  assignments: AssignmentOverview[],
): Promise<Map<number, Date>> {
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

/** The later half against the earlier one, without the middle of an odd number. Null for fewer than two scores. */
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

/** One missing paper is no concern yet; assignments nobody has a grade in do not count. */
export function findConcerns({ average, trend, graded, completed }: Progress): Concern[] {
  const missing = graded - completed
  return [
    ...(average !== null && average < FAILS_BELOW ? (['low_average'] as const) : []),
    ...(missing >= 2 && completed < graded * MIN_COMPLETION ? (['missing_work'] as const) : []),
    ...(trend === 'declining' && average !== null && average < LOW_BELOW ? (['falling'] as const) : []),
  ]
}
