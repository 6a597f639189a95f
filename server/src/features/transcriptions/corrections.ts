import { applyCorrections } from '../../grader/extraction/apply-corrections.ts'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import { AnswersModel } from '../../records/submissions/answers.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { type TranscriptionDoc, TranscriptionModel } from '../../records/submissions/transcription.model.ts'

type SubmissionFile = Pick<SubmissionDoc, '_id' | 'file'>

/** Of the current file, including withdrawn ones. */
export function findTranscriptions({ _id, file }: SubmissionFile): Promise<TranscriptionDoc[]> {
  return TranscriptionModel.find({ submission_id: _id, file_hash: file.hash }).lean()
}

/** `as_read` only where a teacher has corrected something. */
interface CorrectedAnswers {
  extracted: ExtractedSubmission
  as_read: ExtractedSubmission | null
}

/** Callers that extract answers store what this returns. */
export async function withCorrections(
  submission: SubmissionFile,
  read: ExtractedSubmission,
): Promise<CorrectedAnswers> {
  return correctAnswers(read, await findTranscriptions(submission))
}

function correctAnswers(read: ExtractedSubmission, transcriptions: TranscriptionDoc[]): CorrectedAnswers {
  const corrections = transcriptions.flatMap(({ question_id, text }) => (text === null ? [] : [{ question_id, text }]))
  return corrections.length === 0
    ? { extracted: read, as_read: null }
    : { extracted: applyCorrections(read, corrections), as_read: read }
}

/** Does nothing where the paper has not been read. */
export async function correctStoredAnswers(submission: SubmissionFile): Promise<void> {
  for (;;) {
    const own = { _id: submission._id, file_hash: submission.file.hash }
    const stored = await AnswersModel.findOne(own).lean()
    if (!stored) return
    const transcriptions = await findTranscriptions(submission)
    const change = correctAnswers(stored.as_read ?? stored.extracted, transcriptions)
    await AnswersModel.updateOne({ ...own, rubric_version: stored.rubric_version }, { $set: change })
    // Of two corrections at the same moment, the second write sees both.
    const known = new Map(transcriptions.map(({ _id, revision }) => [_id, revision]))
    const now = await findTranscriptions(submission)
    if (now.every(({ _id, revision }) => known.get(_id) === revision)) return
  }
}

/** Null unless the answer still has to be scored again. */
export function findCorrectionToScore(_id: string, revision: number): Promise<TranscriptionDoc | null> {
  return TranscriptionModel.findOne({ _id, revision, scoring: 'waiting' }).lean()
}

export function correctionsToScore(): Promise<TranscriptionDoc[]> {
  return TranscriptionModel.find({ scoring: 'waiting' }).lean()
}

export async function isLatestCorrection(_id: string, revision: number): Promise<boolean> {
  return (await TranscriptionModel.exists({ _id, revision })) !== null
}

export function recordScored(_id: string, revision: number, failure: string | null): Promise<TranscriptionDoc | null> {
  return TranscriptionModel.findOneAndUpdate(
    { _id, revision },
    { $set: { scoring: failure === null ? 'settled' : 'failed', failure } },
  ).lean()
}

export async function deleteTranscriptions(submissionIds: number[]): Promise<void> {
  await TranscriptionModel.deleteMany({ submission_id: { $in: submissionIds } })
}
