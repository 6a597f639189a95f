import {
  deleteAssignment as deleteAssignmentEndpoint,
  deleteAssignments,
  previewDeletion,
} from '@assay/shared/assignments.ts'
import { deleteCourse as deleteCourseEndpoint } from '@assay/shared/courses.ts'
import { Router } from 'express'
import { canManageAssignment } from '../../features/assignments/assignment.policy.ts'
import { findAssignment, requireAssignment } from '../../features/assignments/assignment.service.ts'
import { canTeach } from '../../features/courses/course.policy.ts'
import { requireCourse } from '../../features/courses/course.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { deleteAssignment } from './delete-assignment.ts'
import { deleteCourse } from './delete-course.ts'
import { deletionWarnings } from './deletion-warnings.ts'

/** Stands before the routes of one assignment, whose id `bulk` and `deletion-preview` would be taken for. */
export function deletionRoutes(services: Services): Router {
  const router = Router()

  /** Those of the ids the caller may manage; of the others they learn nothing. */
  async function manageable(ids: number[], actor: Actor): Promise<AssignmentDoc[]> {
    const found = await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const assignment = await findAssignment(id)
        const may = assignment && (await canManageAssignment(actor, assignment)) === 'yes'
        return may ? [assignment] : []
      }),
    )
    return found.flat()
  }

  handle(router, deleteCourseEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await deleteCourse(course, actor, services)
    return {
      message: `Course "${course.name}" and all its assignments and enrollments have been deleted successfully`,
    }
  })

  handle(router, previewDeletion, async ({ query, actor }) => {
    allow('yes') // Only what the caller may manage is looked at.
    return { validation_details: { warnings: await deletionWarnings(await manageable(query.ids, actor)) } }
  })

  handle(router, deleteAssignments, async ({ body, actor }) => {
    allow('yes') // Only what the caller may manage is deleted; the rest is told apart below.
    const ids = [...new Set(body.assignment_ids)]
    const assignments = await manageable(ids, actor)
    const missing = ids.filter((id) => !assignments.some(({ _id }) => _id === id))
    const deleted: number[] = []
    const failed: { id: number; title: string }[] = []
    for (const assignment of assignments) {
      const { _id: id, title } = assignment
      try {
        await deleteAssignment(assignment, actor, services)
        deleted.push(id)
      } catch (error) {
        // The others are deleted all the same; which one was not is told, why is for the log.
        services.log.error({ err: error, assignmentId: id }, 'an assignment could not be deleted')
        failed.push({ id, title })
      }
    }
    return {
      results: {
        total_requested: ids.length,
        total_deleted: deleted.length,
        successful_deletions: deleted,
        failed_deletions: failed,
        validation_failures: missing.map((id) => ({ id, error: `There is no assignment with ID ${id}.` })),
      },
    }
  })

  handle(router, deleteAssignmentEndpoint, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const warnings = await deletionWarnings([assignment])
    await deleteAssignment(assignment, actor, services)
    return { message: 'Assignment deleted.', validation_details: { warnings } }
  })

  return router
}
