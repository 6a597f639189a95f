import type { AmendmentKind, AmendmentState } from '@assay/shared/rubric-amendments.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

/** As it was when this was computed; points are by criterion. */
export interface AmendedAnswer {
  submission_id: number
  grade_id: number
  /** As they count; criteria without points are left out. */
  before: PointsByCriterion
  /** Of the criteria whose points change. */
  after: PointsByCriterion
  by: 'grader' | 'group'
  /** People's points. */
  decided: PointsByCriterion | null
  /** Null: nobody gave or approved them. */
  decided_by: number | null
  released: boolean
  whole_score: boolean
}

export interface AmendmentChoice {
  submission_ids: number[]
  group_points: number
  actor: { id: number; role: string; session_id: string }
  at: Date
  /** Reserved in the question's journal, so that the decision is made once. */
  change_id: number
}

export interface AmendmentUndo {
  actor: AmendmentChoice['actor']
  at: Date
  /** Reserved in the question's journal, so that the decision is undone once. */
  change_id: number
  /** Papers that have their earlier points again. */
  restored: number[]
}

/** Follows from a granted regrade request; stored before anything changes, so that a restart completes it. */
export interface RubricAmendmentDoc {
  _id: number
  assignment_id: number
  regrade_id: number
  submission_id: number
  question_id: string
  criterion_id: string
  kind: AmendmentKind
  text: string
  /** Points of the criterion. */
  granted: number
  /** The rubric it was computed for. */
  rubric_version: number
  state: AmendmentState
  /** Applying or undoing it. Absent: none, or a failed attempt. */
  process?: string
  answers: AmendedAnswer[]
  /** Papers whose points stay, and their grades. */
  unchanged: { submission_id: number; grade_id: number }[]
  choice: AmendmentChoice
  /** The rubric it made. */
  amended_version: number | null
  /** Points of the whole question. */
  changed: { submission_id: number; before: number | null; after: number }[]
  skipped: number
  created_by: number
  created_at: Date
  applied_at: Date | null
  undo?: AmendmentUndo
}

const mixed = { type: Mixed, required: true }

const amendmentSchema = defineSchema<RubricAmendmentDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    regrade_id: { type: Number, required: true },
    submission_id: { type: Number, required: true },
    question_id: { type: String, required: true },
    criterion_id: { type: String, required: true },
    kind: { type: String, required: true },
    text: { type: String, required: true },
    granted: { type: Number, required: true },
    rubric_version: { type: Number, required: true },
    state: { type: String, required: true },
    process: String,
    answers: mixed,
    unchanged: mixed,
    choice: Mixed,
    amended_version: { type: Number, default: null },
    changed: mixed,
    skipped: { type: Number, default: 0 },
    created_by: { type: Number, required: true },
    created_at: { type: Date, required: true },
    applied_at: { type: Date, default: null },
    undo: Mixed,
  },
  { minimize: false },
)
amendmentSchema.index({ assignment_id: 1, state: 1 })
amendmentSchema.index({ state: 1 })
amendmentSchema.index({ assignment_id: 1, 'changed.submission_id': 1 })
export const RubricAmendmentModel = defineModel('RubricAmendment', amendmentSchema, 'rubric_amendments')
