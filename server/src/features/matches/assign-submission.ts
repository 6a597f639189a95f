import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { reassignRelease } from '../grades/release.service.ts'
import { identifierFromFileName } from '../submissions/matching/match-student.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { setSubmissionOwner } from '../submissions/submission-owners.ts'

/** Who a paper is given to. */
export interface SubmissionOwner {
  _id: number
  username: string
}

/**
 * Gives a paper to a student, or to nobody, with what was released of its grade. A teacher's word stands from then on; a match
 * only takes what is nobody's. Null when it is no longer as it was seen.
 * @throws {AppError} `duplicate` when the student has the very same file already
 */
export async function assignToStudent(
  submission: SubmissionDoc,
  owner: SubmissionOwner | null,
  by: 'teacher' | 'match',
  services: Services,
): Promise<SubmissionDoc | null> {
  const identifier = owner?.username ?? identifierFromFileName(submission.file.name)
  try {
    const next = { student_id: owner?._id ?? null, student_identifier: identifier }
    const given = await setSubmissionOwner(submission, next, by, services.clock.now())
    if (!given) return null
    // After the row: a release under way looks at it once more when it is done.
    await reassignRelease(given)
    await markScoresChanged(given.assignment_id)
    await notifySubmissionChanged(given, services)
    return given
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error
    throw new AppError('duplicate', `The very same file is here already as a paper of ${identifier}.`, {
      cause: error,
    })
  }
}
