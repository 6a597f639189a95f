import type { RunStatus } from '@assay/shared/runs.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Present while no LLM responds. */
export interface RunWaitDoc {
  /** For the teacher. */
  reason: string
  /** Only a change of settings can help. */
  needs_settings: boolean
  since: Date
  /** No call before this. */
  retry_at: Date
  /** Failed attempts. */
  tries: number
}

/** With `run_papers` it has everything needed to resume after a crash. */
export interface RunDoc {
  _id: number
  assignment_id: number
  started_by: number
  status: RunStatus
  planned: number[]
  /** Regrades only questions affected by a changed rubric. Absent: everything. */
  only_outdated?: boolean
  /**
   * Submissions whose answers form the class, and its key. Set when grading begins, and before with the papers read so
   * far, for first suggestions while pictures of pages are still being read.
   */
  class_submission_ids: number[] | null
  class_key: string | null
  failure: string | null
  waiting: RunWaitDoc | null
  /** Last request for an immediate retry. Absent: never. */
  hurried_at?: Date
  /** Whether an LLM was to grade at the start. Absent: no, or unknown in older runs. */
  uses_llm?: boolean
  /** In the order of their first grade. Empty in older runs. */
  graders?: string[]
  started_at: Date
  grading_since: Date | null
  finished_at: Date | null
}

/** Without its lists of submissions, which are long in a large class. */
export type RunHead = Omit<RunDoc, 'planned' | 'class_submission_ids'>
export const headProjection = { planned: 0, class_submission_ids: 0 } as const

const runSchema = defineSchema<RunDoc>({
  _id: Number,
  assignment_id: { type: Number, required: true },
  started_by: { type: Number, required: true },
  status: { type: String, required: true },
  planned: { type: [Number], required: true },
  only_outdated: Boolean,
  class_submission_ids: { type: [Number], default: null },
  class_key: { type: String, default: null },
  failure: { type: String, default: null },
  waiting: { type: Mixed, default: null },
  hurried_at: Date,
  uses_llm: Boolean,
  graders: { type: [String], default: [] },
  started_at: { type: Date, required: true },
  grading_since: { type: Date, default: null },
  finished_at: { type: Date, default: null },
})
runSchema.index({ assignment_id: 1, _id: -1 })
runSchema.index({ status: 1 })
export const RunModel = defineModel('Run', runSchema, 'runs')

export interface RunPaperDoc {
  /** `run/submission`. */
  _id: string
  run_id: number
  submission_id: number
  /** `held`: not graded, as a teacher has to look at it first. */
  state: 'waiting' | 'read' | 'graded' | 'failed' | 'stopped' | 'held'
  /** Its pages are pictures, so it is read after the typed papers. */
  scanned?: boolean
  /** LLM timeouts on it, and how many papers were graded at the last; see `grade-paper.ts`. */
  timeouts?: { count: number; graded: number }
}

const runPaperSchema = defineSchema<RunPaperDoc>({
  _id: String,
  run_id: { type: Number, required: true },
  submission_id: { type: Number, required: true },
  state: { type: String, required: true },
  scanned: Boolean,
  timeouts: { type: Mixed },
})
runPaperSchema.index({ run_id: 1, state: 1 })
export const RunPaperModel = defineModel('RunPaper', runPaperSchema, 'run_papers')

export const runPaperId = (runId: number, submissionId: number) => `${runId}/${submissionId}`

export const activeStatuses: RunStatus[] = ['preparing', 'reading', 'grading']
