import { CourseModel, type EnrollmentDoc, EnrollmentModel } from '../../records/courses/course.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import { addEnrollments } from './enrollment.service.ts'

/** Idempotent. */
export async function reassignCourses(from: number, to: number): Promise<void> {
  for (const course of await CourseModel.find({ instructor_ids: from }).lean()) {
    const byLms = course.lms_instructor_ids ?? []
    // Somebody who teaches it independently of the LMS still does so when the LMS removes them.
    const independent = course.instructor_ids.includes(to) && !byLms.includes(to)
    const withTo = (ids: number[]) => [...new Set(ids.map((id) => (id === from ? to : id)))]
    const lms = withTo(byLms).filter((id) => id !== to || !independent)
    await CourseModel.updateOne(
      { _id: course._id, instructor_ids: course.instructor_ids },
      { $set: { instructor_ids: withTo(course.instructor_ids), lms_instructor_ids: lms } },
    )
  }
  await CourseModel.updateMany({ created_by: from }, { $set: { created_by: to } })
}

export async function reassignEnrollment(enrollment: EnrollmentDoc, to: number): Promise<void> {
  const { _id, course_id, enrolled_at, added_by = 'lms', ...numbers } = enrollment
  const { external_user_id = null, sis_user_id = null, canvas_user_id = null } = numbers
  const person = { user_id: to, added_by, external_user_id, sis_user_id, canvas_user_id }
  await addEnrollments(course_id, [person], enrolled_at)
  await withInvalidation([`course/${course_id}`], () => EnrollmentModel.deleteOne({ _id }))
}
