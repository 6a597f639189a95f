import { EnrollmentModel } from '../courses/course.model.ts'
import { ReleaseModel } from '../grades/grade.model.ts'
import type { GradeFigures } from './analytics.model.ts'
import { newestOfEach } from './counted-grades.ts'
import { figuresOf } from './kept-figures.ts'

/** The grades that count in each of a course's assignments, summed up. */
export function gradeFigures(courseId: number, assignmentIds: number[]): Promise<Map<number, GradeFigures>> {
  let enrolled: Promise<Set<number>> | undefined
  return figuresOf(
    'grades',
    assignmentIds,
    (id) => [`assignment/${id}`, `course/${courseId}`],
    async (id) => {
      enrolled ??= enrolledIds(courseId)
      return sumUp(id, await enrolled)
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

async function sumUp(assignmentId: number, enrolled: ReadonlySet<number>): Promise<GradeFigures> {
  const releases = await ReleaseModel.find(
    { assignment_id: assignmentId },
    { student_id: 1, final_score: 1, released_at: 1 },
  ).lean()
  const figures: GradeFigures = { count: 0, sum: 0, tenths: Array(10).fill(0), students: 0 }
  for (const { student_id, final_score } of newestOfEach(releases)) {
    // Whoever has left the course counts no more; a paper that is nobody's yet is a paper of the course.
    if (student_id !== null && !enrolled.has(student_id)) continue
    figures.count += 1
    figures.sum += final_score
    const tenth = tenthOf(final_score)
    figures.tenths[tenth] = (figures.tenths[tenth] ?? 0) + 1
    if (student_id !== null) figures.students += 1
  }
  return figures
}

/** Which of ten bars a score in percent stands in; 100 stands with the nineties. */
export function tenthOf(score: number): number {
  return Math.max(0, Math.min(9, Math.floor(score / 10)))
}
