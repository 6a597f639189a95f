import { type CourseDoc, CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'

/** Courses nobody else teaches. */
export const soleCourses = (ids: number[]): Promise<CourseDoc[]> =>
  CourseModel.find({
    instructor_ids: { $in: ids, $not: { $elemMatch: { $nin: ids } } },
  }).lean()

/** Whether a course has students or papers, which are other people’s. */
export async function isCourseInUse({ _id: course_id }: Pick<CourseDoc, '_id'>): Promise<boolean> {
  const found = await Promise.all([
    EnrollmentModel.exists({ course_id }),
    PendingEnrollmentModel.exists({ course_id }),
    SubmissionModel.exists({ course_id }),
  ])
  return found.some((one) => one !== null)
}
