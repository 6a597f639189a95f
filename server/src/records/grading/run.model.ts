import type { RunStatus } from '@assay/shared/runs.ts'
import mongoose from 'mongoose'

/** While no model answers. */
export interface RunWaitDoc {
  /** For the teacher. */
  reason: string
  /** Whether it takes somebody who changes settings. */
  needs_settings: boolean
  since: Date
  /** Nobody asks before. */
  retry_at: Date
  /** How often it was tried in vain. */
  tries: number
}

/** One “Process & Grade”. What stands here and in `run_papers` is enough to go on after a crash. */
export interface RunDoc {
  _id: number
  assignment_id: number
  started_by: number
  status: RunStatus
  /** The submissions this run is to grade. */
  planned: number[]
  /** Grades again only what a changed rubric touched, and leaves the rest of each grade as it is. Absent means everything. */
  only_outdated?: boolean
  /** Set when grading begins: whose answers the class is made of, and a key that names just that class. */
  class_submission_ids: number[] | null
  class_key: string | null
  failure: string | null
  waiting: RunWaitDoc | null
  /** When somebody last had it try at once. Absent: nobody has. */
  hurried_at?: Date
  /** Whether a model was to grade when it was started. Absent: none, or nobody had kept it. */
  asks_model?: boolean
  /** Who has graded in it, by name, in the order they first did. Runs from before this was kept have none. */
  graders?: string[]
  started_at: Date
  grading_since: Date | null
  finished_at: Date | null
}

/** A run without its lists of submissions, which are long in a large class. */
export type RunHead = Omit<RunDoc, 'planned' | 'class_submission_ids'>
export const headProjection = { planned: 0, class_submission_ids: 0 } as const

const runSchema = new mongoose.Schema<RunDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    started_by: { type: Number, required: true },
    status: { type: String, required: true },
    planned: { type: [Number], required: true },
    only_outdated: Boolean,
    class_submission_ids: { type: [Number], default: null },
    class_key: { type: String, default: null },
    failure: { type: String, default: null },
    waiting: { type: mongoose.Schema.Types.Mixed, default: null },
    hurried_at: Date,
    asks_model: Boolean,
    graders: { type: [String], default: [] },
    started_at: { type: Date, required: true },
    grading_since: { type: Date, default: null },
    finished_at: { type: Date, default: null },
  },
  { versionKey: false },
)
runSchema.index({ assignment_id: 1, _id: -1 })
runSchema.index({ status: 1 })
export const RunModel = mongoose.model('Run', runSchema, 'runs')

/** How far one submission has come in one run. */
export interface RunPaperDoc {
  /** `run/submission`. */
  _id: string
  run_id: number
  submission_id: number
  state: 'waiting' | 'read' | 'graded' | 'failed' | 'stopped'
  /** How often a model ran out of time over it, and how many papers were graded when it last did; see `repeated-timeouts.ts`. */
  trouble?: { times: number; graded: number }
}

const runPaperSchema = new mongoose.Schema<RunPaperDoc>(
  {
    _id: String,
    run_id: { type: Number, required: true },
    submission_id: { type: Number, required: true },
    state: { type: String, required: true },
    trouble: { type: mongoose.Schema.Types.Mixed },
  },
  { versionKey: false },
)
runPaperSchema.index({ run_id: 1, state: 1 })
export const RunPaperModel = mongoose.model('RunPaper', runPaperSchema, 'run_papers')

export const runPaperId = (runId: number, submissionId: number) => `${runId}/${submissionId}`

export const activeStatuses: RunStatus[] = ['preparing', 'reading', 'grading']
