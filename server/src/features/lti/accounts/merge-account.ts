import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { withInvalidation } from '../../../records/grading/analytics-invalidation.ts'
import { RegradeModel } from '../../../records/grading/regrade.model.ts'
import { markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { addEnrollments } from '../../courses/enrollment.service.ts'
import { reassignRelease } from '../../grades/release.service.ts'

/**
 * Moves everything of one account to another: enrolments, courses and assignments, submissions with their released grades, and LMS
 * records. Every step is idempotent. History stays with the old account: who graded, who ran, the audit log.
 */
export async function mergeAccount(from: UserDoc, to: UserDoc): Promise<void> {
  await moveTeaching(from._id, to._id)
  await moveEnrollments(from._id, to._id)
  await moveScores(from._id, to._id)
  await LtiMemberModel.updateMany({ user_id: from._id }, { $set: { user_id: to._id } })
  await movePapers(from, to)
  for (const context of await LtiMemberModel.distinct('context', { user_id: to._id }))
    await markContextScoresChanged(context)
}

async function moveTeaching(from: number, to: number): Promise<void> {
  for (const course of await CourseModel.find({ instructor_ids: from }).lean()) {
    const byLms = course.lms_instructor_ids ?? []
    // Who teaches it as themselves does so still when the LMS forgets them.
    const own = course.instructor_ids.includes(to) && !byLms.includes(to)
    const withTo = (ids: number[]) => [...new Set(ids.map((id) => (id === from ? to : id)))]
    const lms = withTo(byLms).filter((id) => id !== to || !own)
    await CourseModel.updateOne(
      { _id: course._id, instructor_ids: course.instructor_ids },
      { $set: { instructor_ids: withTo(course.instructor_ids), lms_instructor_ids: lms } },
    )
  }
  await CourseModel.updateMany({ created_by: from }, { $set: { created_by: to } })
  await AssignmentModel.updateMany({ created_by: from }, { $set: { created_by: to } })
}

async function moveEnrollments(from: number, to: number): Promise<void> {
  for (const place of await EnrollmentModel.find({ user_id: from }).lean()) {
    const { _id, course_id, enrolled_at, added_by = 'lms', external_user_id = null, sis_user_id = null } = place
    const person = { user_id: to, added_by, external_user_id, sis_user_id }
    await addEnrollments(course_id, [person], enrolled_at)
    await withInvalidation([`course/${course_id}`], () => EnrollmentModel.deleteOne({ _id }))
    await moveExtensions(course_id, from, to)
  }
}

async function moveExtensions(course_id: number, from: number, to: number): Promise<void> {
  const given = await AssignmentModel.find({ course_id, 'extensions.student_id': from }, { extensions: 1 }).lean()
  for (const { _id, extensions = [] } of given) {
    // One they had under the other account as well is the one that counts from now on.
    if (extensions.some(({ student_id }) => student_id === to)) continue
    await AssignmentModel.updateOne({ _id, 'extensions.student_id': from }, { $set: { 'extensions.$.student_id': to } })
  }
}

async function movePapers(from: UserDoc, to: UserDoc): Promise<void> {
  for (const paper of await SubmissionModel.find({ student_id: from._id }).lean()) {
    if (await movePaper(paper, from, to)) await reassignRelease({ ...paper, student_id: to._id })
  }
  await RegradeModel.updateMany({ student_id: from._id }, { $set: { student_id: to._id } })
  await SubmissionModel.updateMany({ uploaded_by: from._id }, { $set: { uploaded_by: to._id } })
}

/** False for one that a teacher has given to somebody else meanwhile. */
async function movePaper(paper: SubmissionDoc, from: UserDoc, to: UserDoc): Promise<boolean> {
  const attempts = paper.attempts?.map((attempt) =>
    attempt.student_id === from._id ? { ...attempt, student_id: to._id } : attempt,
  )
  const set = {
    student_id: to._id,
    student_identifier: to.username,
    ...(attempts ? { attempts } : {}),
  }
  const seen = { _id: paper._id, student_id: from._id }
  const { upload_key } = paper
  const keyed = upload_key === undefined ? {} : { upload_key: keyOf(paper, to) }
  const moved = await SubmissionModel.updateOne(seen, { $set: { ...set, ...keyed } }).catch((error: unknown) => {
    // Both accounts have handed one in, or the very same file: both stay, and the later one counts.
    if (!isDuplicateKeyError(error)) throw error
    return SubmissionModel.updateOne(seen, { $set: set, $unset: { upload_key: '' } })
  })
  return moved.matchedCount > 0
}

const keyOf = ({ upload_key, file }: SubmissionDoc, to: UserDoc) =>
  upload_key?.startsWith('handed in by ') ? `handed in by ${to._id}` : `${file.hash} ${to.username}`

/**
 * The ledger's rows are the LMS's people's, whoever those are here. They forget their paper until it has moved: in between
 * it is not to look as if it had been given to somebody else, whose score is taken back.
 */
async function moveScores(from: number, to: number): Promise<void> {
  await LtiScoreModel.updateMany({ user_id: from }, { $set: { user_id: to, submission_id: null } })
}
