import { defineModel, defineSchema, Mixed } from '../database/define-model.ts'

export interface JobRow {
  /** e.g. `grade-paper:7:31`: added twice, it exists once. */
  _id: string
  name: string
  /** Jobs of one group can be cancelled together. */
  group: string
  /** Absent in jobs of versions without fair-share keys: then the group. */
  share?: string
  payload: unknown
  status: 'queued' | 'running' | 'failed'
  run_at: Date
  attempts: number
  /** Unlike `attempts`, includes claims whose process died over it. */
  claims: number
  /** Since when only versions that cannot read it have claimed it. Absent: one could, or none has tried. */
  unreadable_since?: Date
  /** Triggered since its last claim: it runs once more. Absent in jobs of versions without triggers. */
  again?: boolean
  /** The claiming process; new for each claim. */
  owner: string | null
  locked_until: Date | null
  error: string | null
  /** The request that queued it, for the log. */
  request_id?: string
}

const jobSchema = defineSchema<JobRow>({
  _id: String,
  name: { type: String, required: true },
  group: { type: String, required: true },
  share: String,
  payload: { type: Mixed, required: true },
  status: { type: String, required: true },
  run_at: { type: Date, required: true },
  attempts: { type: Number, required: true },
  claims: { type: Number, required: true },
  unreadable_since: Date,
  again: Boolean,
  owner: String,
  locked_until: Date,
  error: String,
  request_id: String,
})
// By name too: a claim must not search through thousands of mails for another kind of job.
jobSchema.index({ status: 1, name: 1, run_at: 1 })
jobSchema.index({ status: 1, run_at: 1 })
jobSchema.index({ group: 1 })
export const JobModel = defineModel('Job', jobSchema, 'jobs')

/** For administrators. The payload is deleted with the job. */
export interface FailedJobRow {
  name: string
  error: string
  at: Date
}

const failedJobSchema = defineSchema<FailedJobRow>({
  name: { type: String, required: true },
  error: { type: String, required: true },
  at: { type: Date, required: true },
})
failedJobSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
export const FailedJobModel = defineModel('FailedJob', failedJobSchema, 'failed_jobs')
