import type { RunStatus } from '@assay/shared/runs.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface RunWaitDoc {
  reason: string
  needs_settings: boolean
  since: Date
  retry_at: Date
  tries: number
}

/** Without lists of submissions, which are long in a large class. */
export type RunHead = Omit<RunDoc, 'planned' | 'class_submission_ids'>
export const headProjection = { planned: 0, class_submission_ids: 0 } as const

/** With `run_papers` enough to resume after a crash. */
const runSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  started_by: field.required(Number),
  status: field.required<RunStatus>(String),
  planned: field.required<number[]>([Number]),
  only_outdated: field.optional(Boolean),
  /** Whose answers are compared. Set when grading begins, and for first suggestions while scans are still read. */
  class_submission_ids: field.nullable<number[]>([Number]),
  class_key: field.nullable(String),
  failure: field.nullable(String),
  waiting: field.nullable<RunWaitDoc>(Mixed),
  hurried_at: field.optional(Date),
  uses_llm: field.optional(Boolean),
  /** In the order of their first grade. */
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
  _id: field.id(String),
  run_id: field.required(Number),
  submission_id: field.required(Number),
  /** `held`: a teacher has to look at it first. */
  state: field.required<'waiting' | 'read' | 'graded' | 'failed' | 'stopped' | 'held'>(String),
  /** Read after the typed papers. */
  scanned: field.optional(Boolean),
  /** `count` LLM timeouts, and the papers `graded` at the last; see `grade-paper.ts`. */
  timeouts: field.optional<{ count: number; graded: number }>(Mixed),
})
export type RunPaperDoc = DocOf<typeof runPaperSchema>
runPaperSchema.index({ run_id: 1, state: 1 })
export const RunPaperModel = defineModel('RunPaper', runPaperSchema, 'run_papers')

export const runPaperId = (runId: number, submissionId: number) => `${runId}/${submissionId}`

export const activeStatuses: RunStatus[] = ['preparing', 'reading', 'grading']
