import { recordAudit } from '../../audit/audit.service.ts'
import { courseFields } from '../../features/courses/course-management.service.ts'
import { removeAllEnrollments } from '../../features/courses/enrollment.service.ts'
import { unbindCourses } from '../../features/lti/contexts/context.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { deleteLlmSettings } from '../../records/llm/llm-settings.model.ts'
import type { Services } from '../../services.ts'
import { deleteAssignment } from './delete-assignment.ts'

/**
 * With its assignments and enrolments. The course is deleted first: from then on nobody can open or add anything, and
 * what a crash leaves behind is found by the sweep, as it names a course that does not exist.
 */
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
