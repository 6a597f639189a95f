import type { RosterEntry, RosterJob, RosterResult } from '@assay/shared/roster.ts'
import type { Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export type RosterPerson = Omit<RosterEntry, 'email'> & { email: string | null; canvas_user_id?: string | null }

export interface RosterRow {
  row: number
  entry: RosterPerson
}

/** Too long to be imported while its sender waits. */
const importSchema = schemaOf({
  _id: field.id(Number),
  course_id: field.required(Number),
  actor_id: field.required(Number),
  actor_role: field.required<Role>(String),
  session_id: field.required(String),
  file_name: field.required(String),
  total_rows: field.required(Number),
  notes: field.required<string[]>([String]),
  invite: field.optional(Boolean, true),
  state: field.required<RosterJob['state']>(String),
  created_at: field.required(Date),
  finished_at: field.nullable(Date),
  expires_at: field.required(Date),
})
export type RosterImportDoc = DocOf<typeof importSchema>
importSchema.index({ course_id: 1, _id: -1 })
importSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const RosterImportModel = defineModel('RosterImport', importSchema, 'roster_imports')

const stepSchema = schemaOf({
  _id: field.id(String),
  import_id: field.required(Number),
  step: field.required(Number),
  rows: field.required<RosterRow[]>(Mixed),
  /** A retry skips what was audited since. */
  begun_at: field.optional<Date | null>(Date, null),
  done: field.required(Boolean),
  succeeded: field.required(Number),
  failures: field.required<RosterResult[]>(Mixed),
  expires_at: field.required(Date),
})
export type RosterStepDoc = DocOf<typeof stepSchema>
stepSchema.index({ import_id: 1, step: 1 })
stepSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const RosterStepModel = defineModel('RosterStep', stepSchema, 'roster_steps')
