import mongoose from 'mongoose'

/** What was not seen for so long, in ms, has ended or hangs. As long as a job's lease. */
export const DEAD_AFTER_MS = 30_000

/** A process of Assay on this database. */
export interface ProcessRow {
  /** Another one at each start. */
  _id: string
  machine: string
  pid: number
  /** See `ProcessIdentity`. */
  start?: string
  role: string
  /** Where it keeps papers: an address in S3, or `disk`. */
  papers: string
  /** A keyed hash that tells whether two processes have the same SECRET_KEY. */
  secret_check: string
  /** The last migration that its program knows. Missing in versions before this was stored. */
  last_migration?: string
  /** When it began, by the database's clock. */
  since: Date
  /** Whether it works as the others do: it has compared its settings with theirs. */
  joined: boolean
  /** By the database's clock. */
  seen_at: Date
}

const processSchema = new mongoose.Schema<ProcessRow>(
  {
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
  },
  { versionKey: false },
)
export const ProcessModel = mongoose.model('Process', processSchema, 'processes')
