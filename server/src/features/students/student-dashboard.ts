import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import type { getStudentDashboard } from '@assay/shared/students.ts'
import { isComplete, type OwnCourse, presentOwnCourse } from './student.service.ts'

const roundToTenth = (value: number) => Math.round(value * 10) / 10

export function presentDashboard(courses: OwnCourse[]): ReplyOf<typeof getStudentDashboard> {
  const all = courses.flatMap(({ course, assignments }) => assignments.map((own) => ({ course, ...own })))
  const graded = all.flatMap(({ course, assignment, release }) =>
    isComplete(release) ? [{ course, assignment, release }] : [],
  )
  graded.sort((a, b) => b.release.released_at.getTime() - a.release.released_at.getTime())
  const scores = graded.map(({ release }) => release.final_score)
  // The final score may be an override, so earned points are its share of the possible ones.
  const possible = graded.map(({ release }) => release.criteria.reduce((sum, { max_score }) => sum + max_score, 0))
  const earned = possible.map((points, i) => (points * (scores[i] ?? 0)) / 100)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    courses: courses.map(presentOwnCourse),
    recent_grades: graded.map(({ course, assignment, release }) => ({
      assignment_id: assignment._id,
      assignment_title: assignment.title,
      course_id: course._id,
      course_name: course.name,
      overall_score: release.final_score,
      grade_feedback: release.feedback,
      graded_at: release.released_at.toISOString(),
    })),
    grade_summary: {
      total_assignments: all.length,
      graded_assignments: graded.length,
      average_score: scores.length > 0 ? roundToTenth(sum(scores) / scores.length) : null,
      total_points_earned: roundToTenth(sum(earned)),
      total_points_possible: roundToTenth(sum(possible)),
    },
  }
}
