import type { RescoringState } from '@assay/shared/transcriptions.ts'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A teacher's correction of one answer. It outlives runs and rubric changes, not the file. */
export interface TranscriptionDoc {
  _id: string
  submission_id: number
  question_id: string
  /** It does not apply to another file. */
  file_hash: string
  /** Incremented by every change, so that nobody overwrites what they have not seen. */
  revision: number
  /** Null once it was reverted. */
  text: string | null
  /** The transcribed text when it was corrected. */
  read_text: string
  corrected_by: number
  at: Date
  /** Whether the grade includes it. */
  scoring: RescoringState
  /** Why the answer could not be scored again, for a teacher. */
  failure: string | null
}

const transcriptionSchema = defineSchema<TranscriptionDoc>({
  _id: String,
  submission_id: { type: Number, required: true },
  question_id: { type: String, required: true },
  file_hash: { type: String, required: true },
  revision: { type: Number, required: true },
  text: { type: String, default: null },
  read_text: { type: String, default: '' },
  corrected_by: { type: Number, required: true },
  at: { type: Date, required: true },
  scoring: { type: String, required: true },
  failure: { type: String, default: null },
})
transcriptionSchema.index({ submission_id: 1 })
transcriptionSchema.index({ scoring: 1 }, { partialFilterExpression: { scoring: 'waiting' } })
export const TranscriptionModel = defineModel('Transcription', transcriptionSchema, 'transcriptions')

/** One for each question of each file a submission has had. */
export const transcriptionId = (submission: { _id: number; file: { hash: string } }, questionId: string) =>
  `${submission._id}/${submission.file.hash.slice(0, 16)}/${questionId}`
