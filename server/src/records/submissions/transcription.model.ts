import type { RescoringState } from '@assay/shared/transcriptions.ts'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import type { ReadAnswer } from '../../grader/transcribe/read-answers.ts'
import type { TranscribedLine } from '../../grader/transcribe/transcribed-line.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

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

const answersSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  rubric_version: field.required(Number),
  file_hash: field.required(String),
  extracted: field.required<ExtractedSubmission>(Mixed),
  as_read: field.optional<ExtractedSubmission | null>(Mixed),
  /** An LLM's name, with the prompt's version. */
  read_by: field.optional<string | null>(String),
  /** The student whose printed copy it is, by the codes on `pages`. */
  printed_for: field.optional<{ student_id: number; pages: number[] } | null>(Mixed),
})
export type AnswersDoc = DocOf<typeof answersSchema>
answersSchema.index({ assignment_id: 1, rubric_version: 1 })
export const AnswersModel = defineModel('Answers', answersSchema, 'answers')

/** Each page is sent to an LLM once, however often it is graded. */
const readingSchema = schemaOf({
  _id: field.id(String),
  file_hash: field.required(String),
  pages: field.required<number[]>([Number]),
  answers: field.required<(ReadAnswer & { prompt: string })[]>(Mixed),
  at: field.required(Date),
})
readingSchema.index({ file_hash: 1 })
export const AnswerReadingModel = defineModel('AnswerReading', readingSchema, 'answer_readings')

/** `readBy`: the LLM's name with the prompt's version. */
export const answerReadingId = (hash: string, assignmentId: number, readBy: string) =>
  `${hash}/${assignmentId}/${readBy}`

/** Each page of a blank or key is sent to an LLM once. */
const transcriptSchema = schemaOf({
  _id: field.id(String),
  file_hash: field.required(String),
  lines: field.required<TranscribedLine[]>(Mixed),
  at: field.required(Date),
})
transcriptSchema.index({ file_hash: 1 })
export const PageTranscriptModel = defineModel('PageTranscript', transcriptSchema, 'page_transcripts')

/** `readBy`: the LLM's name with the prompt's version. */
export const transcriptId = (hash: string, page: number, readBy: string) => `${hash}/${page}/${readBy}`
