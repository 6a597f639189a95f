import type { ExtractedSubmission } from '../../grader/grader.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Extracted by a version of its assignment's rubric. */
const answersSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  rubric_version: field.required(Number),
  file_hash: field.required(String),
  /** With the teacher's corrections. */
  extracted: field.required<ExtractedSubmission>(Mixed),
  /** Before a teacher's corrections. Absent or null: same as `extracted`. */
  as_read: field.optional<ExtractedSubmission | null>(Mixed),
  /** The LLM that transcribed it, with the prompt's version. */
  read_by: field.optional<string | null>(String),
  /** The student whose printed copy it is, and the pages whose codes say so. Absent or null: no code does. */
  printed_for: field.optional<{ student_id: number; pages: number[] } | null>(Mixed),
})
export type AnswersDoc = DocOf<typeof answersSchema>
answersSchema.index({ assignment_id: 1, rubric_version: 1 })
export const AnswersModel = defineModel('Answers', answersSchema, 'answers')
