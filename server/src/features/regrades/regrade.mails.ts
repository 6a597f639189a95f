import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RegradeDoc } from '../../records/grading/regrade.model.ts'
import type { Services } from '../../services.ts'
import { mailedName } from '../notifications/mailed-name.ts'
import { notify } from '../notifications/notify.ts'
import { usersById } from '../users/user.service.ts'

/** Grades and reasons stay behind the sign-in: a mail only links to the page. */
export async function mailTeachers(
  request: RegradeDoc,
  assignment: AssignmentDoc,
  course: CourseDoc,
  services: Services,
): Promise<void> {
  const teachers = [...(await usersById(course.instructor_ids)).values()]
  const page = `${services.config.publicUrl}/assignments/${assignment._id}/submissions/${request.submission_id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Regrade request: ${title}`,
    text: `A student in ${mailedName(course.name, 'your course')} requests a regrade of “${title}”.\n\nRead the reason and answer:\n${page}`,
  })
  await notify(teachers, 'grades', compose, `regrade-asked/${request._id}`, services)
}

export async function mailStudent(request: RegradeDoc, assignment: AssignmentDoc, services: Services): Promise<void> {
  const students = [...(await usersById([request.student_id])).values()]
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Your regrade request was answered: ${title}`,
    text: `Your instructor has answered your regrade request for “${title}”.\n\nRead the answer:\n${page}`,
  })
  await notify(students, 'grades', compose, `regrade-answered/${request._id}`, services)
}
