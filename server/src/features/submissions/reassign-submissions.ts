import { isDuplicateKeyError } from '../../lib/database/database.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

/** Calls `moved` after each. Idempotent. */
export async function reassignSubmissions(
  from: UserDoc,
  to: UserDoc,
  moved: (submission: SubmissionDoc) => Promise<void>,
): Promise<void> {
  for (const submission of await SubmissionModel.find({ student_id: from._id }).lean()) {
    if (await reassignSubmission(submission, from, to)) await moved({ ...submission, student_id: to._id })
  }
  await SubmissionModel.updateMany({ uploaded_by: from._id }, { $set: { uploaded_by: to._id } })
}

/** False for one that a teacher has given to another student in the meantime. */
async function reassignSubmission(submission: SubmissionDoc, from: UserDoc, to: UserDoc): Promise<boolean> {
  const attempts = submission.attempts?.map((attempt) =>
    attempt.student_id === from._id ? { ...attempt, student_id: to._id } : attempt,
  )
  const set = {
    student_id: to._id,
    student_identifier: to.username,
    ...(attempts ? { attempts } : {}),
  }
  const unchanged = { _id: submission._id, student_id: from._id }
  const keyed = submission.upload_key === undefined ? {} : { upload_key: uploadKeyFor(submission, to) }
  const moved = await SubmissionModel.updateOne(unchanged, { $set: { ...set, ...keyed } }).catch((error: unknown) => {
    // Both accounts have handed one in, or the very same file: both stay, and the later one counts.
    if (!isDuplicateKeyError(error)) throw error
    return SubmissionModel.updateOne(unchanged, { $set: set, $unset: { upload_key: '' } })
  })
  return moved.matchedCount > 0
}

const uploadKeyFor = ({ upload_key, file }: SubmissionDoc, to: UserDoc) =>
  upload_key?.startsWith('handed in by ') ? `handed in by ${to._id}` : `${file.hash} ${to.username}`
