import type { MatchReason } from '@assay/shared/match-reasons.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { findOwned, perPerson } from '../../records/submissions/people-of-paper.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { alignWithGroups, ownerUpdate, reassignGroups, removeStrangersFromGroups } from './group-members.ts'
import { handInKey } from './handed-in-paper.ts'
import { isHeld } from './paper-problems.ts'

/** Also of those whose group has them. */
export async function submissionsByStudent(assignmentId: number, studentIds: number[]): Promise<Map<number, number[]>> {
  const found = await findOwned(studentIds, (whose) =>
    SubmissionModel.find({ ...whose, assignment_id: assignmentId }, { student_id: 1, partner_ids: 1 }).lean(),
  )
  const papers = new Map<number, number[]>()
  for (const { _id, student_id } of perPerson(found)) {
    if (student_id !== null) papers.set(student_id, [...(papers.get(student_id) ?? []), _id])
  }
  return papers
}

export function findSubmissionOwners(
  ids: number[],
): Promise<Pick<SubmissionDoc, '_id' | 'assignment_id' | 'student_id' | 'partner_ids'>[]> {
  return SubmissionModel.find({ _id: { $in: ids } }, { assignment_id: 1, student_id: 1, partner_ids: 1 }).lean()
}

/** By id; `total`: of all pages. */
export async function listUnmatchedSubmissions(
  assignmentId: number,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ submissions: SubmissionDoc[]; total: number }> {
  const where = { assignment_id: assignmentId, student_id: null }
  const [submissions, total] = await Promise.all([
    SubmissionModel.find(where).sort({ _id: 1 }).skip(skip).limit(limit).lean(),
    SubmissionModel.countDocuments(where),
  ])
  return { submissions, total }
}

const ownerProblems: ReadonlySet<string> = new Set(['two_students', 'other_name'])

export type AssignedBy = 'teacher' | { match: MatchReason }

/**
 * Null when owner or file have changed, or a match would change what a teacher set or a student has seen.
 * @throws MongoDB's duplicate key error when the student has the same file
 */
export async function setSubmissionOwner(
  submission: SubmissionDoc,
  owner: { student_id: number | null; student_identifier: string },
  by: AssignedBy,
  now: Date,
): Promise<SubmissionDoc | null> {
  const seen = { _id: submission._id, student_id: submission.student_id, 'file.hash': submission.file.hash }
  const matched = by !== 'teacher' && owner.student_id !== null
  const problems = submission.problems?.map((one) =>
    ownerProblems.has(one.code) ? { ...one, decided: true as const } : one,
  )
  const settled = by === 'teacher' && owner.student_id !== null && problems !== undefined
  const stillHeld = settled && isHeld(problems, submission.grade)
  const group = await ownerUpdate(submission.assignment_id, owner.student_id)
  const noLonger = matched ? {} : { match_reason: '' as const, ...(settled && !stillHeld ? { held: '' as const } : {}) }
  const unset = { ...group.unset, ...noLonger }
  const changed: SubmissionDoc | null = await SubmissionModel.findOneAndUpdate(
    by === 'teacher' ? seen : { ...seen, student_set_by: null, 'grade.released': { $ne: true } },
    {
      $set: {
        ...owner,
        ...group.set,
        upload_key: `${submission.file.hash} ${owner.student_identifier}`,
        updated_at: now,
        ...(by === 'teacher' ? { student_set_by: by } : {}),
        ...(settled ? { problems } : {}),
        ...(matched ? { match_reason: by.match } : {}),
      },
      ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
    },
  ).lean()
  return changed && ((await alignWithGroups([changed]))[0] ?? changed)
}

export function settleOwner({ _id, grade }: SubmissionDoc, now: Date): Promise<SubmissionDoc | null> {
  const reasons = grade?.review_reasons.filter(({ code }) => !ownerProblems.has(code)) ?? []
  if (!grade || reasons.length === grade.review_reasons.length) return Promise.resolve(null)
  const flagged = grade.needs_review && reasons.length > 0
  return SubmissionModel.findOneAndUpdate(
    { _id, 'grade.id': grade.id, 'grade.revision': grade.revision },
    {
      $set: { 'grade.review_reasons': reasons, 'grade.needs_review': flagged, updated_at: now },
      $inc: { 'grade.revision': 1 },
    },
  ).lean()
}

export async function setSubmissionsCourse(assignmentId: number, courseId: number | null): Promise<void> {
  await SubmissionModel.updateMany({ assignment_id: assignmentId }, { $set: { course_id: courseId } })
}

export async function removeSubmissionOwners(assignmentId: number, studentIds: number[]): Promise<void> {
  const strangers = { assignment_id: assignmentId, student_id: { $nin: [null, ...studentIds] } }
  // Without an owner, its key must not block the student's next paper.
  await SubmissionModel.updateMany({ ...strangers, handed_in_by: 'student' }, { $unset: { upload_key: '' } })
  await SubmissionModel.updateMany(strangers, { $set: { student_id: null }, $unset: { group_id: '', partner_ids: '' } })
  await removeStrangersFromGroups(assignmentId, studentIds)
}

/** Calls `moved` after each. Idempotent. */
export async function reassignSubmissions(
  from: UserDoc,
  to: UserDoc,
  moved: (submission: SubmissionDoc) => Promise<void>,
): Promise<void> {
  const papers: SubmissionDoc[] = await findOwned([from._id], (whose) => SubmissionModel.find(whose).lean())
  await reassignGroups(from._id, to._id)
  for (const submission of papers) {
    const isTheirs = submission.student_id === from._id
    if (isTheirs && !(await reassignSubmission(submission, from, to))) continue
    await SubmissionModel.updateOne({ _id: submission._id, student_id: to._id }, { $pull: { partner_ids: to._id } })
    const now = await SubmissionModel.findById(submission._id).lean()
    if (now) await moved(now)
  }
  await SubmissionModel.updateMany({ uploaded_by: from._id }, { $set: { uploaded_by: to._id } })
}

async function reassignSubmission(submission: SubmissionDoc, from: UserDoc, to: UserDoc): Promise<boolean> {
  const attempts = submission.attempts?.map((attempt) =>
    attempt.student_id === from._id ? { ...attempt, student_id: to._id } : attempt,
  )
  const set = { student_id: to._id, student_identifier: to.username, ...(attempts ? { attempts } : {}) }
  const unchanged = { _id: submission._id, student_id: from._id }
  const keyed = submission.upload_key === undefined ? {} : { upload_key: uploadKeyFor(submission, to) }
  const moved = await SubmissionModel.updateOne(unchanged, { $set: { ...set, ...keyed } }).catch((error: unknown) => {
    if (!isDuplicateKeyError(error)) throw error
    return SubmissionModel.updateOne(unchanged, { $set: set, $unset: { upload_key: '' } })
  })
  return moved.matchedCount > 0
}

const uploadKeyFor = ({ upload_key, file, group_id }: SubmissionDoc, to: UserDoc) =>
  upload_key?.startsWith('handed in by ') ? handInKey({ student_id: to._id, group_id }) : `${file.hash} ${to.username}`
