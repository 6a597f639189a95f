import { holdingProblems } from '@assay/shared/paper-problems.ts'
import { findOwned, peopleOf, perPerson } from '../../records/submissions/people-of-paper.ts'
import { type StoredProblem, type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { type TimedPaper, timedPaperFields } from '../assignments/adjusted-score.ts'
import { findSubmissions } from './submission-batches.ts'

type PaperOwner = Pick<SubmissionDoc, '_id' | 'student_id' | 'partner_ids' | 'student_identifier' | 'file'>

export const paperOwners = (assignment_id: number): Promise<PaperOwner[]> =>
  SubmissionModel.find({ assignment_id }, { student_id: 1, partner_ids: 1, student_identifier: 1, file: 1 }).lean()

/** Ms since the epoch; 0 without papers. */
export async function lastChangeOfPapers(assignment_id: number): Promise<number> {
  const paper = await SubmissionModel.findOne({ assignment_id }, { updated_at: 1 }).sort({ updated_at: -1 }).lean()
  return paper?.updated_at.getTime() ?? 0
}

/** The one that counts, should a teacher have uploaded another. */
export async function findNewestSubmission(studentId: number, assignmentId: number): Promise<SubmissionDoc | null> {
  const [newest] = (
    await findOwned([studentId], (whose) =>
      SubmissionModel.find({ ...whose, assignment_id: assignmentId })
        .sort({ _id: -1 })
        .limit(1)
        .lean(),
    )
  ).sort((a, b) => b._id - a._id)
  return newest ?? null
}

/** Also where another paper has replaced it. */
export function findPaperOfPhotoDraft(assignmentId: number, draft: string): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOne({
    assignment_id: assignmentId,
    $or: [{ 'file.photo_draft': draft }, { 'attempts.file.photo_draft': draft }],
  }).lean()
}

/** The one that counts first. */
export async function submissionsOfStudent(
  studentId: number,
  assignmentIds: number[],
): Promise<Pick<SubmissionDoc, '_id' | 'assignment_id' | 'created_at' | 'late' | 'student_id' | 'partner_ids'>[]> {
  const fields = { assignment_id: 1, created_at: 1, late: 1, student_id: 1, partner_ids: 1 } as const
  const found = await findOwned([studentId], (whose) =>
    SubmissionModel.find({ ...whose, assignment_id: { $in: assignmentIds } }, fields).lean(),
  )
  return found.sort((a, b) => b._id - a._id)
}

export type ScoredPaper = TimedPaper & Pick<SubmissionDoc, '_id' | 'late' | 'grade'>

/** Of each student of an assignment, in the order they came: of a student's papers the last one counts. */
export async function scoredPapers(assignmentId: number): Promise<ScoredPaper[]> {
  const ofGrade = ['released', 'points', 'unscored_points', 'overall_score', 'manual_score_override']
  const fields = [...timedPaperFields, 'late', ...ofGrade.map((one) => `grade.${one}`)]
  const papers: ScoredPaper[] = await SubmissionModel.find({ assignment_id: assignmentId, student_id: { $gt: 0 } })
    .select(fields)
    .sort({ _id: 1 })
    .lean()
  return perPerson(papers)
}

/** Once for each of its people. */
export async function submissionDatesOfStudents(
  studentIds: number[],
  assignmentIds: number[],
): Promise<Pick<SubmissionDoc, '_id' | 'student_id' | 'created_at'>[]> {
  const found = await findOwned(studentIds, (whose) =>
    SubmissionModel.find(
      { ...whose, assignment_id: { $in: assignmentIds } },
      { student_id: 1, partner_ids: 1, created_at: 1 },
    ).lean(),
  )
  return perPerson(found)
}

export async function studentIdsWithSubmission(assignmentId: number): Promise<Set<number>> {
  const own = { assignment_id: assignmentId }
  const [ids, partners]: (number | null)[][] = await Promise.all([
    SubmissionModel.distinct('student_id', own),
    SubmissionModel.distinct('partner_ids', own),
  ])
  return new Set([...(ids ?? []), ...(partners ?? [])].filter((id) => id !== null))
}

export const submissionsById = async (ids: number[]): Promise<Map<number, SubmissionDoc>> =>
  new Map((await findSubmissions(ids)).map((submission) => [submission._id, submission]))

export async function countAllSubmissions(): Promise<{ total: number; failed: number }> {
  const [total, failed] = await Promise.all([
    SubmissionModel.countDocuments({}),
    SubmissionModel.countDocuments({ status: 'failed' }),
  ])
  return { total, failed }
}

export const countGradedSince = (since: Date): Promise<number> =>
  SubmissionModel.countDocuments({ 'grade.graded_at': { $gte: since } })

export const countFailedSince = (since: Date): Promise<number> =>
  SubmissionModel.countDocuments({ status: 'failed', updated_at: { $gte: since } })

export async function measureSubmittedPapers(): Promise<{ papers: number; bytes: number }> {
  const [measured] = await SubmissionModel.aggregate<{ papers: number; bytes: number }>([
    { $group: { _id: '$file.hash', size: { $first: '$file.size' } } },
    { $group: { _id: null, papers: { $sum: 1 }, bytes: { $sum: '$size' } } },
  ])
  return { papers: measured?.papers ?? 0, bytes: measured?.bytes ?? 0 }
}

export async function studentIdsWithUnreleasedScore(assignmentId: number): Promise<Set<number>> {
  const waiting = await SubmissionModel.find(
    // Older grades are complete, and do not say so.
    {
      assignment_id: assignmentId,
      'grade.released': false,
      'grade.unscored_points': { $in: [0, null] },
      student_id: { $gt: 0 },
    },
    { student_id: 1, partner_ids: 1 },
  ).lean()
  return new Set(waiting.flatMap(peopleOf))
}

export const findSubmissionDate = async (id: number): Promise<Date | null> =>
  (await SubmissionModel.findById(id, { created_at: 1 }).lean())?.created_at ?? null

export const countGradedPapers = (assignmentId: number): Promise<number> =>
  SubmissionModel.countDocuments({ assignment_id: assignmentId, grade: { $ne: null } })

/** Null with another file by now. `held`: it waits for a teacher's decision. */
export function setProblems(
  { _id, file }: Pick<SubmissionDoc, '_id' | 'file'>,
  { problems, held }: { problems: StoredProblem[]; held: boolean },
  now: Date,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { _id, 'file.hash': file.hash },
    held
      ? { $set: { problems, held: true, updated_at: now } }
      : { $set: { problems, updated_at: now }, $unset: { held: '' } },
  ).lean()
}

/** Graded in spite of its problems. Null where its file has been replaced. */
export function decideProblems(
  submission: Pick<SubmissionDoc, '_id' | 'file' | 'problems'>,
  now: Date,
): Promise<SubmissionDoc | null> {
  const problems = (submission.problems ?? []).map((one) =>
    holdingProblems.has(one.code) ? { ...one, decided: true as const } : one,
  )
  return setProblems(submission, { problems, held: false }, now)
}
