import type { RescoringState } from '@assay/shared/transcriptions.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A teacher's correction of one answer. It outlives runs and rubric changes, not the file. */
const transcriptionSchema = schemaOf({
  _id: field.id(String),
  submission_id: field.required(Number),
  question_id: field.required(String),
  /** It applies to no other file. */
  file_hash: field.required(String),
  revision: field.required(Number),
  text: field.nullable(String),
  read_text: field.withDefault(String, ''),
  corrected_by: field.required(Number),
  at: field.required(Date),
  scoring: field.required<RescoringState>(String),
  failure: field.nullable(String),
})
export type TranscriptionDoc = DocOf<typeof transcriptionSchema>
transcriptionSchema.index({ submission_id: 1 })
transcriptionSchema.index({ scoring: 1 }, { partialFilterExpression: { scoring: 'waiting' } })
export const TranscriptionModel = defineModel('Transcription', transcriptionSchema, 'transcriptions')

export const transcriptionId = (submission: { _id: number; file: { hash: string } }, questionId: string) =>
  `${submission._id}/${submission.file.hash.slice(0, 16)}/${questionId}`
