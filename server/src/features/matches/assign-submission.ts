import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { reassignRelease } from '../grades/release.service.ts'
import { identifierFromFileName } from '../submissions/matching/match-student.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'

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
  const seen = { _id: submission._id, student_id: submission.student_id, 'file.hash': submission.file.hash }
  try {
    const given = await SubmissionModel.findOneAndUpdate(
      by === 'teacher' ? seen : { ...seen, student_set_by: null },
      {
        $set: {
          student_id: owner?._id ?? null,
          student_identifier: identifier,
          upload_key: `${submission.file.hash} ${identifier}`,
          updated_at: services.clock.now(),
          ...(by === 'teacher' ? { student_set_by: by } : {}),
        },
      },
      { returnDocument: 'after' },
    ).lean()
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

/** The papers of these students for an assignment, by student; two of one are both there. */
export async function submissionsByStudent(assignmentId: number, studentIds: number[]): Promise<Map<number, number[]>> {
  const found = await SubmissionModel.find(
    { assignment_id: assignmentId, student_id: { $in: studentIds } },
    { student_id: 1 },
  ).lean()
  const papers = new Map<number, number[]>()
  for (const { _id, student_id } of found) {
    if (student_id !== null) papers.set(student_id, [...(papers.get(student_id) ?? []), _id])
  }
  return papers
}
