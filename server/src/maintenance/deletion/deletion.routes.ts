import {
  deleteAssignment as deleteAssignmentEndpoint,
  deleteAssignments,
  previewDeletion,
} from '@assay/shared/assignments.ts'
import { deleteCourse as deleteCourseEndpoint } from '@assay/shared/courses.ts'
import { deleteSubmission, deleteSubmissions as deleteSubmissionsEndpoint } from '@assay/shared/submissions.ts'
import type { Router } from 'express'
import { recordAudit, recordAudits } from '../../audit/audit.service.ts'
import {
  canManageAssignment,
  findAssignment,
  requireAssignmentFor,
} from '../../features/assignments/assignment.service.ts'
import { canTeach, requireCourse } from '../../features/courses/course.service.ts'
import { notifyListChanged } from '../../features/submissions/submission.events.ts'
import { countSubmissions, requireSubmission } from '../../features/submissions/submission.service.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc, AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { LtiScoreModel } from '../../records/lti/score.model.ts'
import type { Services } from '../../services.ts'
import { deleteAssignment, deleteCourse, deleteSubmissions, deleteSubmissionsInBatches } from './delete-course.ts'

/** Mounted before routes that would take `bulk` and `deletion-preview` for an id. */
export function deletionRoutes(router: Router, services: Services): void {
  /** Reveals nothing about the others. */
  async function manageable(ids: number[], actor: Actor): Promise<AssignmentDoc[]> {
    const found = await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const assignment = await findAssignment(id)
        const manages = assignment && (await canManageAssignment(actor, assignment)) === 'yes'
        return manages ? [assignment] : []
      }),
    )
    return found.flat()
  }

  handle(router, deleteCourseEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(await canTeach(actor, course))
    await deleteCourse(course, actor, services)
    return { message: `Course "${course.name}" and all its assignments and enrollments have been deleted successfully` }
  })

  handle(router, previewDeletion, async ({ query, actor }) => {
    allow('yes') // Covers only what the caller may manage.
    return { validation_details: { warnings: await deletionWarnings(await manageable(query.ids, actor)) } }
  })

  handle(router, deleteAssignments, async ({ body, actor }) => {
    allow('yes') // Deletes only what the caller may manage; the rest is reported below.
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
        // The reply names the failed one.
        services.log.error({ err: error, assignmentId: id }, 'an assignment could not be deleted')
        failed.push({ id, title })
      }
    }
    return presentResults(ids, { deleted, failed, missing }, (id) => `There is no assignment with ID ${id}.`)
  })

  // Before `/:submissionId`, which would match `bulk`.
  handle(router, deleteSubmissionsEndpoint, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const wanted = [...new Set(body.submission_ids)]
    const results = await deleteSubmissionsInBatches(assignment, wanted, services.log)
    const { deleted } = results
    const subjects = deleted.map((submission_id) => ({ assignment_id: assignment._id, submission_id }))
    await recordAudits(actor, 'submission.deleted', subjects, services.clock.now())
    if (deleted.length > 0) notifyListChanged(assignment._id, services)
    return presentResults(wanted, results, (id) => `Submission ${id} is not part of this assignment.`)
  })

  handle(router, deleteSubmission, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    await deleteSubmissions([submission])
    const subject = { assignment_id: assignment._id, submission_id: submission._id }
    await recordAudit(actor, 'submission.deleted', subject, services.clock.now())
    notifyListChanged(assignment._id, services)
    return { message: 'Submission deleted successfully!' }
  })

  handle(router, deleteAssignmentEndpoint, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const warnings = await deletionWarnings([assignment])
    await deleteAssignment(assignment, actor, services)
    return { message: 'Assignment deleted.', validation_details: { warnings } }
  })
}

function presentResults<Title extends string>(
  ids: number[],
  { deleted, failed, missing }: { deleted: number[]; failed: { id: number; title: Title }[]; missing: number[] },
  errorOf: (id: number) => string,
) {
  return {
    results: {
      total_requested: ids.length,
      total_deleted: deleted.length,
      successful_deletions: deleted,
      failed_deletions: failed,
      validation_failures: missing.map((id) => ({ id, error: errorOf(id) })),
    },
  }
}

const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

async function deletionWarnings(assignments: AssignmentOverview[]): Promise<string[]> {
  const ids = assignments.map(({ _id }) => _id)
  const [counts, released, inGradebook] = await Promise.all([
    countSubmissions(assignments),
    ReleaseModel.countDocuments({ assignment_id: { $in: ids }, student_id: { $ne: null } }),
    LtiScoreModel.countDocuments({ assignment_id: { $in: ids }, 'accepted.score': { $ne: null } }),
  ])
  const all = [...counts.values()]
  const submissions = all.reduce((sum, { submissions }) => sum + submissions, 0)
  const graded = all.reduce((sum, { graded }) => sum + graded, 0)
  const published = assignments.filter(({ status }) => status === 'published')
  const warnings: string[] = []
  if (submissions > 0) warnings.push(`${plural(submissions, 'submission')} with all files will be deleted.`)
  if (graded > 0) warnings.push(`${plural(graded, 'grade')} with feedback will be deleted.`)
  if (published.length > 0) {
    warnings.push(
      released > 0
        ? `${plural(released, 'grade')} will disappear for students who can see them now.`
        : `Students will no longer see ${published.map(({ title }) => `“${title}”`).join(', ')}.`,
    )
  }
  if (inGradebook > 0) warnings.push(`${plural(inGradebook, 'score')} sent to the LMS will stay in its gradebook.`)
  return warnings
}
