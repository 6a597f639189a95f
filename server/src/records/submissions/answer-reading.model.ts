import type { ReadAnswer } from '../../grader/transcribe/read-answers.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** By an LLM; each page is sent once, however often it is graded. */
interface AnswerReadingDoc {
  _id: string
  file_hash: string
  pages: number[]
  /** `prompt`: the question as printed when its answer was read. */
  answers: (ReadAnswer & { prompt: string })[]
  at: Date
}

const readingSchema = defineSchema<AnswerReadingDoc>({
  _id: String,
  file_hash: { type: String, required: true },
  pages: { type: [Number], required: true },
  answers: { type: Mixed, required: true },
  at: { type: Date, required: true },
})
readingSchema.index({ file_hash: 1 })
export const AnswerReadingModel = defineModel('AnswerReading', readingSchema, 'answer_readings')

/** `readBy` is the LLM's name with the prompt's version. */
export const answerReadingId = (hash: string, assignmentId: number, readBy: string) =>
  `${hash}/${assignmentId}/${readBy}`
