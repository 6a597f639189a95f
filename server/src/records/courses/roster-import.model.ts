import type { RosterEntry, RosterJob, RosterResult } from '@assay/shared/roster.ts'
import type { Role } from '@assay/shared/users.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

export type RosterPerson = Omit<RosterEntry, 'email'> & { email: string | null }

/** Counted from 1, the header included. */
export interface RosterRow {
  row: number
  entry: RosterPerson
}

/** A file too long to be imported while its sender waits. */
export interface RosterImportDoc {
  _id: number
  course_id: number
  /** For the audit log. */
  actor_id: number
  actor_role: Role
  session_id: string
  file_name: string
  total_rows: number
  notes: string[]
  /** Absent: they are mailed. */
  invite?: boolean
  state: RosterJob['state']
  created_at: Date
  finished_at: Date | null
  expires_at: Date
}

const importSchema = defineSchema<RosterImportDoc>({
  _id: Number,
  course_id: { type: Number, required: true },
  actor_id: { type: Number, required: true },
  actor_role: { type: String, required: true },
  session_id: { type: String, required: true },
  file_name: { type: String, required: true },
  total_rows: { type: Number, required: true },
  notes: { type: [String], required: true },
  invite: { type: Boolean, default: true },
  state: { type: String, required: true },
  created_at: { type: Date, required: true },
  finished_at: { type: Date, default: null },
  expires_at: { type: Date, required: true },
})
importSchema.index({ course_id: 1, _id: -1 })
importSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const RosterImportModel = defineModel('RosterImport', importSchema, 'roster_imports')

/** Its rows until it is done, then its results. */
export interface RosterStepDoc {
  /** `import/step`. */
  _id: string
  import_id: number
  step: number
  rows: RosterRow[]
  /** A retry skips what was audited since. */
  begun_at?: Date | null
  done: boolean
  succeeded: number
  failures: RosterResult[]
  expires_at: Date
}

const stepSchema = defineSchema<RosterStepDoc>({
  _id: String,
  import_id: { type: Number, required: true },
  step: { type: Number, required: true },
  rows: { type: Mixed, required: true },
  begun_at: { type: Date, default: null },
  done: { type: Boolean, required: true },
  succeeded: { type: Number, required: true },
  failures: { type: Mixed, required: true },
  expires_at: { type: Date, required: true },
})
stepSchema.index({ import_id: 1, step: 1 })
stepSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const RosterStepModel = defineModel('RosterStep', stepSchema, 'roster_steps')
