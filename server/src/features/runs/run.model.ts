import type { RunStatus } from '@assay/shared/runs.ts'
import mongoose from 'mongoose'

/** One “Process & Grade”. What stands here and in `run_papers` is enough to go on after a crash. */
export interface RunDoc {
  _id: number
  assignment_id: number
  started_by: number
  status: RunStatus
  /** The submissions this run is to grade. */
  planned: number[]
  /** Set when grading begins: whose answers the class is made of, and a key that names just that class. */
  class_submission_ids: number[] | null
  class_key: string | null
  failure: string | null
  started_at: Date
  grading_since: Date | null
  finished_at: Date | null
}

/** A run without its lists of submissions, which are long in a large class. */
export type RunHead = Pick<RunDoc, '_id' | 'assignment_id' | 'status'>

const runSchema = new mongoose.Schema<RunDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    started_by: { type: Number, required: true },
    status: { type: String, required: true },
    planned: { type: [Number], required: true },
    class_submission_ids: { type: [Number], default: null },
    class_key: { type: String, default: null },
    failure: { type: String, default: null },
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
}

const runPaperSchema = new mongoose.Schema<RunPaperDoc>(
  {
    _id: String,
    run_id: { type: Number, required: true },
    submission_id: { type: Number, required: true },
    state: { type: String, required: true },
  },
  { versionKey: false },
)
runPaperSchema.index({ run_id: 1, state: 1 })
export const RunPaperModel = mongoose.model('RunPaper', runPaperSchema, 'run_papers')

export const runPaperId = (runId: number, submissionId: number) => `${runId}/${submissionId}`

export const underWay: RunStatus[] = ['preparing', 'reading', 'grading']
