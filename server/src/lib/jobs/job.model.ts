import { type DocOf, defineModel, field, Mixed, schemaOf } from '../database/define-model.ts'

const jobSchema = schemaOf({
  /** e.g. `grade-paper:7:31`: added twice, it exists once. */
  _id: field.id(String),
  name: field.required(String),
  group: field.required(String),
  share: field.optional(String),
  payload: field.required<unknown>(Mixed),
  status: field.required<'queued' | 'running' | 'failed'>(String),
  run_at: field.required(Date),
  attempts: field.required(Number),
  /** Unlike `attempts`, includes claims whose process died over it. */
  claims: field.required(Number),
  /** Since when only versions that cannot read it have claimed it. */
  unreadable_since: field.optional(Date),
  /** Triggered since its last claim: it runs once more. */
  again: field.optional(Boolean),
  owner: field.custom<string | null>({ type: String }),
  locked_until: field.custom<Date | null>({ type: Date }),
  error: field.custom<string | null>({ type: String }),
  request_id: field.optional(String),
})
export type JobRow = DocOf<typeof jobSchema>
// By name too: a claim must not search through thousands of mails for another kind of job.
jobSchema.index({ status: 1, name: 1, run_at: 1 })
jobSchema.index({ status: 1, run_at: 1 })
jobSchema.index({ group: 1 })
export const JobModel = defineModel('Job', jobSchema, 'jobs')

/** The payload is deleted with the job. */
const failedJobSchema = schemaOf({
  name: field.required(String),
  error: field.required(String),
  at: field.required(Date),
})
export type FailedJobRow = DocOf<typeof failedJobSchema>
failedJobSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
export const FailedJobModel = defineModel('FailedJob', failedJobSchema, 'failed_jobs')
