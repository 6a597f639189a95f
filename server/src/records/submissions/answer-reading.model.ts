import type { ReadAnswer } from '../../grader/transcribe/read-answers.ts'
import { defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

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
