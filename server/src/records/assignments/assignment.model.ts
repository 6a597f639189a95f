import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import type { LateRule } from '@assay/shared/rules/dates.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'
import type { RubricOrigin } from './rubric-version.model.ts'

/** By its content's hash; `size` is bytes. */
export interface StoredPdf {
  hash: string
  name: string
  size: number
  handwritten: boolean
}

/** With a smaller picture (`view`) that every browser can show. Without place and time. */
export interface StoredPhoto {
  hash: string
  size: number
  type: 'jpeg' | 'png' | 'webp' | 'heic'
  view: { hash: string; size: number }
}

export interface StoredPaper extends StoredPdf {
  /** In the order of its pages. Absent: it came as a PDF. */
  photos?: StoredPhoto[]
  /** Which photo draft it was, as `draft/revision`: the draft may have changed since. */
  photo_draft?: string
}

export interface AnonymousGrading {
  names_hidden: boolean
  /** When names were shown again, oldest first. Absent: never. */
  shown?: { user_id: number; at: Date }[]
}

export interface StoredExtension {
  student_id: number
  due_at: Date
  closes_at: Date | null
}

export interface StoredScoreRules extends ScoreRules {
  /** Counts the changes. */
  version: number
  changed_by: number
  changed_at: Date
  /** Before the last change. */
  previous: ScoreRules
}

export interface RetentionNotice {
  warned_at: Date
  delete_at: Date
  /** At the time of the notice. */
  papers: number
  /** A mail about it was accepted; until then nothing is deleted. */
  mailed: boolean
  /** Present once the deletion has begun, which is always completed; `papers` is their number. */
  deleting?: { since: Date; papers: number }
}

export interface AssignmentDoc {
  _id: number
  title: string
  course_id: number | null
  created_by: number
  status: 'draft' | 'published'
  published_at: Date | null
  /** Null: open once published. Absent in assignments from before there were dates. */
  available_at?: Date | null
  due_at?: Date | null
  closes_at?: Date | null
  late_rule?: LateRule
  extensions?: StoredExtension[]
  /** Absent: scores count as graded. */
  score_rules?: StoredScoreRules
  /** The last change that released scores have yet to follow. Absent: they have. */
  released_scores_due?: string
  /** Absent: names were never hidden. */
  anonymous?: AnonymousGrading
  /** Whether students were mailed about it. Absent or null: not requested. */
  announcement?: 'wanted' | 'sent' | null
  /** Unpublished with a request to clear its scores in the LMS's gradebook. */
  clear_lms_scores?: boolean
  blank: StoredPdf
  key: StoredPdf
  /** Null until the first run has read the blank and the key. */
  rubric: Rubric | null
  rubric_version: number
  /** Earlier origins are in `rubric_versions`. Absent in rubrics from before versions. */
  rubric_made?: RubricOrigin
  /** Absent or null: nobody has confirmed the current rubric. */
  rubric_check?: { user_id: number; at: Date } | null
  /** Answers extracted by this rubric version or a later one are current. Absent: the current one. */
  extraction_version?: number
  /** Locks the assignment: no two runs grade it at once. */
  active_run_id: number | null
  retention_notice?: RetentionNotice
  /** Last deletion under the retention rule. Absent: never. */
  work_deleted_at?: Date
  created_at: Date
  updated_at: Date
}

/** For lists: a rubric is larger than all other fields together. */
export type AssignmentOverview = Omit<AssignmentDoc, 'rubric'>

const storedPdfFields = {
  hash: { type: String, required: true },
  name: { type: String, required: true },
  size: { type: Number, required: true },
  handwritten: { type: Boolean, required: true },
}

const assignmentSchema = defineSchema<AssignmentDoc>({
  _id: Number,
  title: { type: String, required: true },
  course_id: { type: Number, default: null },
  created_by: { type: Number, required: true },
  status: { type: String, required: true },
  published_at: { type: Date, default: null },
  available_at: { type: Date, default: null },
  due_at: { type: Date, default: null },
  closes_at: { type: Date, default: null },
  late_rule: { type: String, default: 'accept' },
  extensions: { type: Mixed, default: [] },
  score_rules: Mixed,
  released_scores_due: String,
  anonymous: Mixed,
  announcement: { type: String, default: null },
  clear_lms_scores: { type: Boolean, default: false },
  blank: storedPdfFields,
  key: storedPdfFields,
  rubric: { type: Mixed, default: null },
  rubric_version: { type: Number, required: true },
  rubric_made: { type: Mixed },
  rubric_check: { type: Mixed, default: null },
  extraction_version: Number,
  active_run_id: { type: Number, default: null },
  retention_notice: Mixed,
  work_deleted_at: Date,
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
})
assignmentSchema.index({ course_id: 1, created_at: -1, _id: -1 })
assignmentSchema.index({ created_by: 1, created_at: -1, _id: -1 })
assignmentSchema.index({ course_id: 1, updated_at: 1 })
assignmentSchema.index({ 'retention_notice.delete_at': 1 }, { sparse: true })
assignmentSchema.index({ due_at: 1 })
assignmentSchema.index({ announcement: 1 })
assignmentSchema.index({ released_scores_due: 1 }, { sparse: true })
assignmentSchema.index({ 'blank.hash': 1 })
assignmentSchema.index({ 'key.hash': 1 })

export const AssignmentModel = defineModel('Assignment', assignmentSchema, 'assignments')
