import mongoose from 'mongoose'

export interface JobRow {
  /** The job's own key, e.g. `grade-paper:7:31`: put in twice, it stands once. */
  _id: string
  name: string
  /** Jobs of one group can be cancelled together. */
  group: string
  /** Whose places it takes. Absent in jobs from before this was kept: the group's. */
  share?: string
  payload: unknown
  status: 'queued' | 'running' | 'failed'
  run_at: Date
  /** How often it has failed. */
  attempts: number
  /** How often it was taken up: more than it failed by as often as a process died over it. */
  claims: number
  owner: string | null
  locked_until: Date | null
  error: string | null
}

const jobSchema = new mongoose.Schema<JobRow>(
  {
    _id: String,
    name: { type: String, required: true },
    group: { type: String, required: true },
    share: String,
    payload: { type: mongoose.Schema.Types.Mixed, required: true },
    status: { type: String, required: true },
    run_at: { type: Date, required: true },
    attempts: { type: Number, required: true },
    claims: { type: Number, required: true },
    owner: String,
    locked_until: Date,
    error: String,
  },
  { versionKey: false },
)
// By name as well: mails by the thousand must not stand between a claim and the work it looks for.
jobSchema.index({ status: 1, name: 1, run_at: 1 })
jobSchema.index({ status: 1, run_at: 1 })
jobSchema.index({ group: 1 })
export const JobModel = mongoose.model('Job', jobSchema, 'jobs')

/** What was given up, for whoever looks after the machine. No payload: it is gone with the job, and so is what it held. */
export interface FailedJobRow {
  name: string
  error: string
  at: Date
}

const failedJobSchema = new mongoose.Schema<FailedJobRow>(
  {
    name: { type: String, required: true },
    error: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
failedJobSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
export const FailedJobModel = mongoose.model('FailedJob', failedJobSchema, 'failed_jobs')
