import type { Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** What later steps need is stored before it is deleted; in the end only the fact stays. */
const erasureSchema = schemaOf({
  _id: field.id(Number),
  /** “Deleted student 4f2a”, random. */
  placeholder: field.required(String),
  state: field.required<'running' | 'done' | 'failed'>(String),
  step: field.required(Number),
  account_ids: field.required<number[]>([Number]),
  submission_ids: field.required<number[]>([Number]),
  file_hashes: field.required<string[]>([String]),
  actor_id: field.required(Number),
  actor_role: field.required<Role>(String),
  session_id: field.required(String),
  started_at: field.required(Date),
  finished_at: field.nullable(Date),
})
export type ErasureDoc = DocOf<typeof erasureSchema>
erasureSchema.index({ placeholder: 1 }, { unique: true })
erasureSchema.index({ state: 1 })
export const ErasureModel = defineModel('Erasure', erasureSchema, 'erasures')
