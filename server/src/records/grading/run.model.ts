import type { RunStatus } from '@assay/shared/runs.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

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

/** Without its lists of submissions, which are long in a large class. */
export type RunHead = Omit<RunDoc, 'planned' | 'class_submission_ids'>
export const headProjection = { planned: 0, class_submission_ids: 0 } as const

/** With `run_papers` it has everything needed to resume after a crash. */
const runSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  started_by: field.required(Number),
  status: field.required<RunStatus>(String),
  planned: field.required<number[]>([Number]),
  /** Regrades only questions affected by a changed rubric. Absent: everything. */
  only_outdated: field.optional(Boolean),
  /**
   * Submissions whose answers form the class, and its key. Set when grading begins, and before with the papers read so
   * far, for first suggestions while pictures of pages are still being read.
   */
  class_submission_ids: field.nullable<number[]>([Number]),
  class_key: field.nullable(String),
  failure: field.nullable(String),
  waiting: field.nullable<RunWaitDoc>(Mixed),
  /** Last request for an immediate retry. Absent: never. */
  hurried_at: field.optional(Date),
  /** Whether an LLM was to grade at the start. Absent: no, or unknown in older runs. */
  uses_llm: field.optional(Boolean),
  /** In the order of their first grade. Empty in older runs. */
  graders: field.optional<string[]>([String], []),
  started_at: field.required(Date),
  grading_since: field.nullable(Date),
  finished_at: field.nullable(Date),
})
export type RunDoc = DocOf<typeof runSchema>
runSchema.index({ assignment_id: 1, _id: -1 })
runSchema.index({ status: 1 })
export const RunModel = defineModel('Run', runSchema, 'runs')

const runPaperSchema = schemaOf({
  /** `run/submission`. */
  _id: field.id(String),
  run_id: field.required(Number),
  submission_id: field.required(Number),
  /** `held`: not graded, as a teacher has to look at it first. */
  state: field.required<'waiting' | 'read' | 'graded' | 'failed' | 'stopped' | 'held'>(String),
  /** Its pages are pictures, so it is read after the typed papers. */
  scanned: field.optional(Boolean),
  /** LLM timeouts on it, and how many papers were graded at the last; see `grade-paper.ts`. */
  timeouts: field.optional<{ count: number; graded: number }>(Mixed),
})
export type RunPaperDoc = DocOf<typeof runPaperSchema>
runPaperSchema.index({ run_id: 1, state: 1 })
export const RunPaperModel = defineModel('RunPaper', runPaperSchema, 'run_papers')

export const runPaperId = (runId: number, submissionId: number) => `${runId}/${submissionId}`

export const activeStatuses: RunStatus[] = ['preparing', 'reading', 'grading']
