import { holdingProblems } from '@assay/shared/paper-problems.ts'
import { type StoredProblem, type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

/** Null where it has another file by now. `held`: it waits for a teacher's decision. */
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

/** A teacher wants the paper graded in spite of its problems. Null where its file has been replaced. */
export function decideProblems(
  submission: Pick<SubmissionDoc, '_id' | 'file' | 'problems'>,
  now: Date,
): Promise<SubmissionDoc | null> {
  const problems = (submission.problems ?? []).map((one) =>
    holdingProblems.has(one.code) ? { ...one, decided: true as const } : one,
  )
  return setProblems(submission, { problems, held: false }, now)
}
