import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { reassignRelease } from '../grades/release.service.ts'
import { identifierFromFileName } from '../submissions/matching/match-student.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { setSubmissionOwner, settleOwner } from '../submissions/submission-owners.ts'

/** Whom a paper is assigned to. */
export interface SubmissionOwner {
  _id: number
  username: string
}

/**
 * Assigns a paper and its release to a student, or to nobody. Matches never change what a teacher assigned. Null when the
 * submission has changed in the meantime.
 * @throws {AppError} `duplicate` when the student has the same file already
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
    const changed = await setSubmissionOwner(submission, next, by, services.clock.now())
    if (!changed) return null
    const settled = by === 'teacher' && owner ? await settleOwner(changed, services.clock.now()) : null
    const given = settled ?? changed
    // After the submission: a release in progress checks its owner again at the end.
    await reassignRelease(given)
    await markScoresChanged(given.assignment_id)
    await notifySubmissionChanged(given, services)
    return given
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error
    throw new AppError('duplicate', `This file has already been uploaded as a paper of ${identifier}.`, {
      cause: error,
    })
  }
}
