import { recordAudit } from '../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { AnswersModel } from '../../records/submissions/answers.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import {
  type TranscriptionDoc,
  TranscriptionModel,
  transcriptionId,
} from '../../records/submissions/transcription.model.ts'
import { correctStoredAnswers } from './corrections.ts'

interface NewCorrection {
  questionId: string
  /** Null withdraws the correction. */
  text: string | null
  /** Of the answer as the teacher looked at it. */
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

/** For papers that are gone, or were replaced by another file. */
export async function deleteAnswers(submissionIds: number[]): Promise<void> {
  await AnswersModel.deleteMany({ _id: { $in: submissionIds } })
}
