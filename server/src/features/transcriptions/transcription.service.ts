import { AppError, notFound } from '../../lib/app-error.ts'
import { isDuplicateKey } from '../../lib/db.ts'
import type { Actor } from '../../lib/handle.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import type { SubmissionDoc } from '../submissions/submission.model.ts'
import { correctKeptAnswers } from './corrections.ts'
import { type TranscriptionDoc, TranscriptionModel, transcriptionId } from './transcription.model.ts'

interface NewCorrection {
  questionId: string
  /** Null takes the correction back. */
  text: string | null
  /** Of the answer as the teacher looked at it. */
  revision: number
}

const MEANWHILE =
  'This answer was corrected meanwhile. Look at what stands now, then put it right if it still needs it.'

/**
 * Keeps what a teacher says stands in the paper, and puts it into the submission's answers.
 * @throws {AppError} `resource_not_found` for a question the paper was not laid out by; `conflict` when the paper has not been read,
 * or somebody corrected the answer meanwhile
 */
export async function keepCorrection(
  submission: SubmissionDoc,
  { questionId, text, revision }: NewCorrection,
  actor: Actor,
  now: Date,
): Promise<TranscriptionDoc> {
  const answers = await AnswersModel.findOne({ _id: submission._id, file_hash: submission.file.hash }).lean()
  if (!answers)
    throw new AppError(
      'conflict',
      'This paper has not been read yet. Grade it first, then correct what was read.',
    )
  const read = (answers.as_read ?? answers.laid).answers.find((one) => one.question_id === questionId)
  if (!read) throw notFound('This paper has no such question. Reload the page.')
  const id = transcriptionId(submission, questionId)
  const before = await TranscriptionModel.findById(id).lean()
  if ((before?.revision ?? 0) !== revision) throw new AppError('conflict', MEANWHILE)
  const kept: TranscriptionDoc = {
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
  await put(kept, revision)
  await correctKeptAnswers(submission)
  const subject = { assignment_id: submission.assignment_id, submission_id: submission._id }
  await recordAudit(
    actor,
    text === null ? 'transcription.taken_back' : 'transcription.corrected',
    subject,
    now,
    {
      before: { question: questionId, text: before?.text ?? read.text },
      after: { question: questionId, text: text ?? read.text },
    },
  )
  return kept
}

async function put(kept: TranscriptionDoc, revision: number): Promise<void> {
  if (revision === 0) {
    await TranscriptionModel.create(kept).catch((error: unknown) => {
      throw isDuplicateKey(error) ? new AppError('conflict', MEANWHILE) : error
    })
    return
  }
  const { modifiedCount } = await TranscriptionModel.replaceOne({ _id: kept._id, revision }, kept)
  if (modifiedCount === 0) throw new AppError('conflict', MEANWHILE)
}
