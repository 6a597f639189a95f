import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type AssignmentOverview,
} from '../../records/assignments/assignment.model.ts'
import { taughtCourseIds } from '../courses/course.service.ts'

export async function requireAssignment(id: number): Promise<AssignmentDoc> {
  const assignment = await AssignmentModel.findById(id).lean()
  if (!assignment) throw notFound('There is no such assignment.')
  return assignment
}

export async function findAssignment(id: number): Promise<AssignmentDoc | null> {
  return AssignmentModel.findById(id).lean()
}

const courseFilter = (courseId: number, { publishedOnly }: { publishedOnly: boolean }) =>
  publishedOnly ? { course_id: courseId, status: 'published' as const } : { course_id: courseId }

export function countAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<number> {
  return AssignmentModel.countDocuments(courseFilter(courseId, which))
}

/** Of two made in the same moment the later id is the newer, so that pages neither repeat nor skip one. */
const newestFirst = { created_at: -1, _id: -1 } as const
const withoutRubric = { rubric: 0 } as const

/** Newest first. */
export function assignmentsOfCourse(
  courseId: number,
  which: { publishedOnly: boolean },
): Promise<AssignmentOverview[]> {
  return AssignmentModel.find(courseFilter(courseId, which), withoutRubric).sort(newestFirst).lean()
}

/** The assignments someone may manage, newest first, and how many there are. */
export async function listManageableAssignments(
  actor: Actor,
  { skip, limit, course_id }: { skip: number; limit: number; course_id?: number | undefined },
): Promise<{ assignments: AssignmentOverview[]; total: number }> {
  const courseIds = await taughtCourseIds(actor)
  const own = { $or: [{ course_id: { $in: courseIds } }, { course_id: null, created_by: actor.id }] }
  const filter = course_id === undefined ? own : { course_id: courseIds.includes(course_id) ? course_id : -1 }
  const [assignments, total] = await Promise.all([
    AssignmentModel.find(filter, withoutRubric).sort(newestFirst).skip(skip).limit(limit).lean(),
    AssignmentModel.countDocuments(filter),
  ])
  return { assignments, total }
}
