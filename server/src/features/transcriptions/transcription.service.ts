import { recordAudit } from '../../audit/audit.service.ts'
import { applyCorrections } from '../../grader/extraction/apply-corrections.ts'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import {
  AnswersModel,
  type TranscriptionDoc,
  TranscriptionModel,
  transcriptionId,
} from '../../records/submissions/transcription.model.ts'

interface NewCorrection {
  questionId: string
  /** Null withdraws the correction. */
  text: string | null
  revision: number
}

const CORRECTION_CONFLICT = 'Someone else has corrected this answer. Check the current text, then correct it if needed.'

/** @throws {AppError} `resource_not_found` for a question not extracted; `conflict` if unread or corrected meanwhile */
export async function storeCorrection(
  submission: SubmissionDoc,
  { questionId, text, revision }: NewCorrection,
  actor: Actor,
  now: Date,
): Promise<TranscriptionDoc> {
  const answers = await AnswersModel.findOne({ _id: submission._id, file_hash: submission.file.hash }).lean()
  if (!answers)
    throw new AppError('conflict', 'This paper has not been read yet. Grade it first, then correct what was read.')
  const read = (answers.as_read ?? answers.extracted).answers.find((one) => one.question_id === questionId)
  if (!read) throw notFound('This paper does not have that question. Reload the page.')
  const id = transcriptionId(submission, questionId)
  const before = await TranscriptionModel.findById(id).lean()
  if ((before?.revision ?? 0) !== revision) throw new AppError('conflict', CORRECTION_CONFLICT)
  const transcription: TranscriptionDoc = {
    _id: id,
    submission_id: submission._id,
    question_id: questionId,
    file_hash: submission.file.hash,
    revision: revision + 1,
    text,
    read_text: read.text,
    corrected_by: actor.id,
    at: now,
    scoring: submission.grade ? 'waiting' : 'settled',
    failure: null,
  }
  await writeTranscription(transcription, revision)
  await correctStoredAnswers(submission)
  const subject = { assignment_id: submission.assignment_id, submission_id: submission._id }
  await recordAudit(actor, text === null ? 'transcription.taken_back' : 'transcription.corrected', subject, now, {
    before: { question: questionId, text: before?.text ?? read.text },
    after: { question: questionId, text: text ?? read.text },
  })
  return transcription
}

async function writeTranscription(transcription: TranscriptionDoc, revision: number): Promise<void> {
  if (revision === 0) {
    await TranscriptionModel.create(transcription).catch((error: unknown) => {
      throw isDuplicateKeyError(error) ? new AppError('conflict', CORRECTION_CONFLICT) : error
    })
    return
  }
  const { modifiedCount } = await TranscriptionModel.replaceOne({ _id: transcription._id, revision }, transcription)
  if (modifiedCount === 0) throw new AppError('conflict', CORRECTION_CONFLICT)
}

export async function deleteAnswers(submissionIds: number[]): Promise<void> {
  await AnswersModel.deleteMany({ _id: { $in: submissionIds } })
}

type SubmissionFile = Pick<SubmissionDoc, '_id' | 'file'>

export const findTranscriptions = ({ _id, file }: SubmissionFile): Promise<TranscriptionDoc[]> =>
  TranscriptionModel.find({ submission_id: _id, file_hash: file.hash }).lean()

/** `as_read` only where a teacher has corrected something. */
interface CorrectedAnswers {
  extracted: ExtractedSubmission
  as_read: ExtractedSubmission | null
}

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

async function correctStoredAnswers(submission: SubmissionFile): Promise<void> {
  for (;;) {
    const own = { _id: submission._id, file_hash: submission.file.hash }
    const stored = await AnswersModel.findOne(own).lean()
    if (!stored) return
    const transcriptions = await findTranscriptions(submission)
    const change = correctAnswers(stored.as_read ?? stored.extracted, transcriptions)
    await AnswersModel.updateOne({ ...own, rubric_version: stored.rubric_version }, { $set: change })
    // Of two corrections at once, the second write sees both.
    const known = new Map(transcriptions.map(({ _id, revision }) => [_id, revision]))
    const now = await findTranscriptions(submission)
    if (now.every(({ _id, revision }) => known.get(_id) === revision)) return
  }
}

export const findCorrectionToScore = (_id: string, revision: number): Promise<TranscriptionDoc | null> =>
  TranscriptionModel.findOne({ _id, revision, scoring: 'waiting' }).lean()

export const correctionsToScore = (): Promise<TranscriptionDoc[]> =>
  TranscriptionModel.find({ scoring: 'waiting' }).lean()

export const isLatestCorrection = async (_id: string, revision: number): Promise<boolean> =>
  (await TranscriptionModel.exists({ _id, revision })) !== null

export function recordScored(_id: string, revision: number, failure: string | null): Promise<TranscriptionDoc | null> {
  return TranscriptionModel.findOneAndUpdate(
    { _id, revision },
    { $set: { scoring: failure === null ? 'settled' : 'failed', failure } },
  ).lean()
}

export async function deleteTranscriptions(submissionIds: number[]): Promise<void> {
  await TranscriptionModel.deleteMany({ submission_id: { $in: submissionIds } })
}
