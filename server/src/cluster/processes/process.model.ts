import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A process not seen for this long has ended or hangs. As long as a job's lease. */
export const DEAD_AFTER_MS = 30_000

const processSchema = schemaOf({
  /** New at each start. */
  _id: field.id(String),
  machine: field.required(String),
  pid: field.required(Number),
  start: field.optional(String),
  role: field.required(String),
  /** An address in S3, or `disk`. */
  papers: field.required(String),
  /** A keyed hash, to compare the processes' SECRET_KEYs. */
  secret_check: field.required(String),
  /** The last migration its program knows; missing in versions before this was stored. */
  last_migration: field.optional(String),
  /** Start time by the database's clock. */
  since: field.required(Date),
  /** Whether it has compared its settings with the others'. */
  joined: field.required(Boolean),
  /** By the database's clock. */
  seen_at: field.required(Date),
})
export type ProcessRow = DocOf<typeof processSchema>
export const ProcessModel = defineModel('Process', processSchema, 'processes')
