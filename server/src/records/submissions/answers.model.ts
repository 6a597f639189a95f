import type { ExtractedSubmission } from '../../grader/grader.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

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
