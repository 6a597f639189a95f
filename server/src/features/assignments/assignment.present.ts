import type { Assignment } from '@assay/shared/assignments.ts'
import { coursesById } from '../courses/course.service.ts'
import { countSubmissions } from '../submissions/submission.service.ts'
import type { AssignmentDoc } from './assignment.model.ts'

export async function presentAssignments(assignments: AssignmentDoc[]): Promise<Assignment[]> {
  const courseIds = assignments.flatMap(({ course_id }) => (course_id === null ? [] : [course_id]))
  const courses = await coursesById([...new Set(courseIds)])
  return Promise.all(
    assignments.map(async (assignment) => ({
      id: assignment._id,
      title: assignment.title,
      status: assignment.status,
      course_id: assignment.course_id,
      course_name: assignment.course_id === null ? null : (courses.get(assignment.course_id)?.name ?? null),
      counts: await countSubmissions(assignment),
      created_at: assignment.created_at.toISOString(),
      updated_at: assignment.updated_at.toISOString(),
      published_at: assignment.published_at?.toISOString() ?? null,
    })),
  )
}

export async function presentAssignment(assignment: AssignmentDoc): Promise<Assignment> {
  const [presented] = await presentAssignments([assignment])
  if (!presented) throw new Error('one in, one out')
  return presented
}
