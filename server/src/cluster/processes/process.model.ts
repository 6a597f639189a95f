import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A process not seen for this long has ended or hangs. As long as a job's lease. */
export const DEAD_AFTER_MS = 30_000

export interface ProcessRow {
  /** New at each start. */
  _id: string
  machine: string
  pid: number
  start?: string
  role: string
  /** An address in S3, or `disk`. */
  papers: string
  /** A keyed hash, to compare the processes' SECRET_KEYs. */
  secret_check: string
  /** The last migration its program knows; missing in versions before this was stored. */
  last_migration?: string
  /** Start time by the database's clock. */
  since: Date
  /** Whether it has compared its settings with the others'. */
  joined: boolean
  /** By the database's clock. */
  seen_at: Date
}

const processSchema = defineSchema<ProcessRow>({
  _id: String,
  machine: { type: String, required: true },
  pid: { type: Number, required: true },
  start: String,
  role: { type: String, required: true },
  papers: { type: String, required: true },
  secret_check: { type: String, required: true },
  last_migration: String,
  since: { type: Date, required: true },
  joined: { type: Boolean, required: true },
  seen_at: { type: Date, required: true },
})
export const ProcessModel = defineModel('Process', processSchema, 'processes')
