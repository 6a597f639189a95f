import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'

export function findInstructors(
  courseId: number,
): Promise<Pick<CourseDoc, '_id' | 'instructor_ids' | 'lms_instructor_ids'> | null> {
  return CourseModel.findById(courseId, { instructor_ids: 1, lms_instructor_ids: 1 }).lean()
}

export async function addLmsInstructors(courseId: number, userIds: number[]): Promise<number[]> {
  const added: number[] = []
  for (const id of userIds) {
    const done = await CourseModel.updateOne(
      { _id: courseId, instructor_ids: { $ne: id } },
      { $push: { instructor_ids: id, lms_instructor_ids: id } },
    )
    if (done.modifiedCount > 0) added.push(id)
  }
  return added
}

/** Only those added by the LMS, and never the last instructor. */
export async function removeLmsInstructors(courseId: number, userIds: number[]): Promise<number[]> {
  const removed: number[] = []
  for (const id of userIds) {
    // Checked in the database: of two removed at once, one stays.
    const done = await CourseModel.updateOne(
      { _id: courseId, lms_instructor_ids: id, 'instructor_ids.1': { $exists: true } },
      { $pull: { instructor_ids: id, lms_instructor_ids: id } },
    )
    if (done.modifiedCount > 0) removed.push(id)
  }
  return removed
}

/** So that the LMS may remove the creator like its other instructors. */
export async function markCreatedFromLms(courseId: number, creatorId: number): Promise<void> {
  await CourseModel.updateOne({ _id: courseId }, { $set: { lms_instructor_ids: [creatorId] } })
}
