import type { MatchReason } from '@assay/shared/match-reasons.ts'
import { type AuditActor, recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { reassignRelease } from '../grades/release.service.ts'
import { identifierFromFileName } from '../submissions/matching/match-student.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { type AssignedBy, setSubmissionOwner, settleOwner } from '../submissions/submission-owners.ts'

export interface SubmissionOwner {
  _id: number
  username: string
}

/**
 * Null if changed meanwhile. Matches never change what a teacher assigned.
 * @throws {AppError} `duplicate` when the student has the same file already
 */
export async function assignToStudent(
  submission: SubmissionDoc,
  owner: SubmissionOwner | null,
  by: { teacher: AuditActor } | { match: MatchReason },
  services: Services,
): Promise<SubmissionDoc | null> {
  const identifier = owner?.username ?? identifierFromFileName(submission.file.name)
  try {
    const next = { student_id: owner?._id ?? null, student_identifier: identifier }
    const assignedBy: AssignedBy = 'teacher' in by ? 'teacher' : by
    const changed = await setSubmissionOwner(submission, next, assignedBy, services.clock.now())
    if (!changed) return null
    await auditOwner(submission, changed, by, services.clock.now())
    const settled = 'teacher' in by && owner ? await settleOwner(changed, services.clock.now()) : null
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

/** Null also when the student has the same file already: a person decides then. */
export async function tryAssign(
  submission: SubmissionDoc,
  owner: SubmissionOwner | null,
  by: MatchReason | { teacher: AuditActor },
  services: Services,
): Promise<SubmissionDoc | null> {
  return assignToStudent(submission, owner, typeof by === 'string' ? { match: by } : by, services).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'duplicate') return null
      throw error
    },
  )
}

/** About the student who has the paper now, or else the one who had it. */
function auditOwner(
  { student_id: was }: SubmissionDoc,
  { _id, assignment_id, student_id }: SubmissionDoc,
  by: Parameters<typeof assignToStudent>[2],
  now: Date,
): Promise<void> {
  const about = student_id ?? was
  const subject = { assignment_id, submission_id: _id, ...(about === null ? {} : { student_id: about }) }
  const [actor, why] = 'teacher' in by ? [by.teacher, {}] : [SYSTEM_ACTOR, { reason: by.match }]
  const change = { before: { student_id: was }, after: { student_id, ...why } }
  return recordAudit(actor, 'submission.student_set', subject, now, change)
}
