import { EnrollmentModel } from '../../records/courses/course.model.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { cachedStats } from './analytics-cache.ts'
import { newestReleases } from './newest-releases.ts'

/** The grades that count in each of a course's assignments, summed up. */
export function gradeStats(courseId: number, assignmentIds: number[]): Promise<Map<number, GradeStats>> {
  let enrolled: Promise<Set<number>> | undefined
  return cachedStats(
    'grades',
    assignmentIds,
    (id) => [`assignment/${id}`, `course/${courseId}`],
    async (id) => {
      enrolled ??= enrolledIds(courseId)
      return computeGradeStats(id, await enrolled)
    },
  )
}

async function enrolledIds(courseId: number): Promise<Set<number>> {
  const enrolments = await EnrollmentModel.find(
    { course_id: courseId, test_user: { $ne: true } },
    { user_id: 1 },
  ).lean()
  return new Set(enrolments.map(({ user_id }) => user_id))
}

async function computeGradeStats(assignmentId: number, enrolled: ReadonlySet<number>): Promise<GradeStats> {
  const releases = await ReleaseModel.find(
    { assignment_id: assignmentId },
    { student_id: 1, final_score: 1, released_at: 1 },
  ).lean()
  const figures: GradeStats = { count: 0, sum: 0, tenths: Array(10).fill(0), students: 0 }
  for (const { student_id, final_score } of newestReleases(releases)) {
    // Whoever has left the course counts no more; a paper that is nobody's yet is a paper of the course.
    if (student_id !== null && !enrolled.has(student_id)) continue
    figures.count += 1
    figures.sum += final_score
    const tenth = histogramBin(final_score)
    figures.tenths[tenth] = (figures.tenths[tenth] ?? 0) + 1
    if (student_id !== null) figures.students += 1
  }
  return figures
}

/** Which of ten bars a score in percent stands in; 100 stands with the nineties. */
export function histogramBin(score: number): number {
  return Math.max(0, Math.min(9, Math.floor(score / 10)))
}
