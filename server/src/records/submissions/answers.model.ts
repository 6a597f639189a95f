import type { ExtractedSubmission } from '../../grader/grader.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Extracted by a version of its assignment's rubric. */
export interface AnswersDoc {
  _id: number
  assignment_id: number
  rubric_version: number
  file_hash: string
  /** With the teacher's corrections. */
  extracted: ExtractedSubmission
  /** Before a teacher's corrections. Absent or null: same as `extracted`. */
  as_read?: ExtractedSubmission | null
  /** The LLM that transcribed it, with the prompt's version. */
  read_by?: string | null
  /** The student whose printed copy it is, and the pages whose codes say so. Absent or null: no code does. */
  printed_for?: { student_id: number; pages: number[] } | null
}

const answersSchema = defineSchema<AnswersDoc>({
  _id: Number,
  assignment_id: { type: Number, required: true },
  rubric_version: { type: Number, required: true },
  file_hash: { type: String, required: true },
  extracted: { type: Mixed, required: true },
  as_read: Mixed,
  read_by: String,
  printed_for: Mixed,
})
answersSchema.index({ assignment_id: 1, rubric_version: 1 })
export const AnswersModel = defineModel('Answers', answersSchema, 'answers')
