import type { AmendmentKind, AmendmentState } from '@assay/shared/rubric-amendments.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

/** As when this was computed; points are by criterion. */
export interface AmendedAnswer {
  submission_id: number
  grade_id: number
  before: PointsByCriterion
  after: PointsByCriterion
  by: 'grader' | 'group'
  decided: PointsByCriterion | null
  decided_by: number | null
  released: boolean
  whole_score: boolean
}

export interface AmendmentChoice {
  submission_ids: number[]
  group_points: number
  actor: { id: number; role: string; session_id: string }
  at: Date
  /** Reserved, so that the decision is made once. */
  change_id: number
}

export interface AmendmentUndo {
  actor: AmendmentChoice['actor']
  at: Date
  /** Reserved, so that the decision is undone once. */
  change_id: number
  restored: number[]
}

/** Stored before anything changes, so that a restart completes it. */
const amendmentSchema = schemaOf(
  {
    _id: field.id(Number),
    assignment_id: field.required(Number),
    regrade_id: field.required(Number),
    submission_id: field.required(Number),
    question_id: field.required(String),
    criterion_id: field.required(String),
    kind: field.required<AmendmentKind>(String),
    text: field.required(String),
    granted: field.required(Number),
    rubric_version: field.required(Number),
    state: field.required<AmendmentState>(String),
    /** The process applying or undoing it. Absent: none, or a failed attempt. */
    process: field.optional(String),
    answers: field.required<AmendedAnswer[]>(Mixed),
    unchanged: field.required<{ submission_id: number; grade_id: number }[]>(Mixed),
    choice: field.custom<AmendmentChoice>({ type: Mixed }),
    amended_version: field.nullable(Number),
    /** Points of the whole question. */
    changed: field.required<{ submission_id: number; before: number | null; after: number }[]>(Mixed),
    skipped: field.withDefault(Number, 0),
    created_by: field.required(Number),
    created_at: field.required(Date),
    applied_at: field.nullable(Date),
    undo: field.optional<AmendmentUndo>(Mixed),
  },
  { minimize: false },
)
export type RubricAmendmentDoc = DocOf<typeof amendmentSchema>
amendmentSchema.index({ assignment_id: 1, state: 1 })
amendmentSchema.index({ state: 1 })
amendmentSchema.index({ assignment_id: 1, 'changed.submission_id': 1 })
export const RubricAmendmentModel = defineModel('RubricAmendment', amendmentSchema, 'rubric_amendments')
