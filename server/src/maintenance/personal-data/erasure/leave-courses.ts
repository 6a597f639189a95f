import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { deleteAssignment, deleteCourse } from '../../deletion/delete-course.ts'
import type { ErasureTask } from './erasure-rule.ts'

export const soleCourses = (ids: number[]): Promise<CourseDoc[]> =>
  CourseModel.find({ instructor_ids: { $in: ids, $not: { $elemMatch: { $nin: ids } } } }).lean()

/** Students and papers are other people’s. */
export async function isCourseInUse({ _id: course_id }: CourseDoc): Promise<boolean> {
  const found = await Promise.all([
    EnrollmentModel.exists({ course_id }),
    PendingEnrollmentModel.exists({ course_id }),
    SubmissionModel.exists({ course_id }),
  ])
  return found.some((one) => one !== null)
}

/** Deletes courses without others. One a student has joined meanwhile stays for an administrator to hand on. */
export async function leaveCourses({ erasure, services, signal }: ErasureTask): Promise<void> {
  const ids = erasure.account_ids
  const actor = { id: erasure.actor_id, role: erasure.actor_role, sessionId: erasure.session_id }
  for (const course of await soleCourses(ids)) {
    signal.throwIfAborted()
    if (!(await isCourseInUse(course))) await deleteCourse(course, actor, services)
  }
  await CourseModel.updateMany(
    { instructor_ids: { $in: ids } },
    { $pull: { instructor_ids: { $in: ids }, lms_instructor_ids: { $in: ids } } },
  )
  for (const assignment of await AssignmentModel.find({ course_id: null, created_by: { $in: ids } }).lean()) {
    signal.throwIfAborted()
    await deleteAssignment(assignment, actor, services)
  }
}
