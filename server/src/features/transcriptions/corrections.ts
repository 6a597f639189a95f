import { correctAnswers } from '../../grader/correct-answers.ts'
import type { LaidSubmission } from '../../grader/grader.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import type { SubmissionDoc } from '../submissions/submission.model.ts'
import { type TranscriptionDoc, TranscriptionModel } from './transcription.model.ts'

type OfFile = Pick<SubmissionDoc, '_id' | 'file'>

/** What was corrected in the file a submission has now, corrections taken back among it. */
export function transcriptionsOf({ _id, file }: OfFile): Promise<TranscriptionDoc[]> {
  return TranscriptionModel.find({ submission_id: _id, file_hash: file.hash }).lean()
}

/** A submission laid out as it counts, and as it was read where a teacher has put something right. */
export interface Corrected {
  laid: LaidSubmission
  as_read: LaidSubmission | null
}

/** Puts the teacher's corrections into what has just been laid out: whoever lays out a submission keeps what this says. */
export async function withCorrections(submission: OfFile, read: LaidSubmission): Promise<Corrected> {
  return correct(read, await transcriptionsOf(submission))
}

function correct(read: LaidSubmission, transcriptions: TranscriptionDoc[]): Corrected {
  const corrections = transcriptions.flatMap(({ question_id, text }) =>
    text === null ? [] : [{ question_id, text }],
  )
  return corrections.length === 0
    ? { laid: read, as_read: null }
    : { laid: correctAnswers(read, corrections), as_read: read }
}

/** Puts corrections made since into the answers that are kept. Nothing happens where the paper has not been read. */
export async function correctKeptAnswers(submission: OfFile): Promise<void> {
  for (;;) {
    const own = { _id: submission._id, file_hash: submission.file.hash }
    const kept = await AnswersModel.findOne(own).lean()
    if (!kept) return
    const transcriptions = await transcriptionsOf(submission)
    const change = correct(kept.as_read ?? kept.laid, transcriptions)
    await AnswersModel.updateOne({ ...own, rubric_version: kept.rubric_version }, { $set: change })
    // Two answers corrected at the same moment: whoever comes second sees both.
    const known = new Map(transcriptions.map(({ _id, revision }) => [_id, revision]))
    const now = await transcriptionsOf(submission)
    if (now.every(({ _id, revision }) => known.get(_id) === revision)) return
  }
}

/** For papers that are gone, or have made way for another file. */
export async function forgetTranscriptions(submissionIds: number[]): Promise<void> {
  await TranscriptionModel.deleteMany({ submission_id: { $in: submissionIds } })
}
