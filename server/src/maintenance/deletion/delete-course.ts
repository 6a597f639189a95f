import { recordAudit } from '../../audit/audit.service.ts'
import { deleteClassScansOf } from '../../features/class-scans/class-scan.service.ts'
import { courseFields } from '../../features/courses/course.service.ts'
import { removeAllEnrollments } from '../../features/courses/enrollment.service.ts'
import { deleteLlmAnswers } from '../../features/llm/delete-llm-answers.ts'
import { unbindCourses } from '../../features/lti/contexts/resource-link.service.ts'
import { deleteDraftsOf } from '../../features/photo-drafts/photo-draft.service.ts'
import { deleteItems } from '../../features/rubric-items/rubric-item.service.ts'
import { deleteVersions } from '../../features/rubrics/rubric.service.ts'
import { stopGeneration } from '../../features/rubrics/rubric-generation-jobs.ts'
import { deleteRunsOf } from '../../features/runs/run.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { deleteLlmSettings } from '../../records/llm/llm-settings.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { deleteSubmissions } from './delete-submissions.ts'
import { deleteWorkRecords } from './delete-work-records.ts'

/** The course goes first: nobody can open or add anything then, and the sweep finds what a crash leaves behind. */
export async function deleteCourse(course: CourseDoc, actor: Actor, services: Services): Promise<void> {
  await CourseModel.deleteOne({ _id: course._id })
  const subject = { course_id: course._id }
  await recordAudit(actor, 'course.deleted', subject, services.clock.now(), { before: courseFields(course) })
  for (const assignment of await AssignmentModel.find({ course_id: course._id }).lean()) {
    await deleteAssignment(assignment, actor, services)
  }
  await removeAllEnrollments(course._id)
  await deleteLlmSettings([course._id])
  await unbindCourses([course._id])
}

/** The assignment goes first, so that nobody works on it. After a crash the next sweep deletes the rest. */
export async function deleteAssignment(assignment: AssignmentDoc, actor: Actor, services: Services): Promise<void> {
  await AssignmentModel.deleteOne({ _id: assignment._id })
  await deleteRunsOf(assignment, services)
  await stopGeneration(assignment._id, services)
  await deleteSubmissions(await SubmissionModel.find({ assignment_id: assignment._id }, { _id: 1 }).lean())
  await deleteLlmAnswers('assignment_id', [assignment._id])
  await deleteWorkRecords(assignment._id)
  await deleteVersions([assignment._id])
  await deleteItems(assignment._id)
  await deleteClassScansOf(assignment._id, services)
  await deleteDraftsOf(assignment._id)
  await markScoresChanged(assignment._id)
  await recordAudit(actor, 'assignment.deleted', { assignment_id: assignment._id }, services.clock.now(), {
    before: { title: assignment.title, status: assignment.status },
  })
}
