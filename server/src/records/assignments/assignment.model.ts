import type { GroupRule } from '@assay/shared/groups.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import type { LateRule } from '@assay/shared/rules/dates.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { RubricOrigin } from './rubric-version.model.ts'

/** `size` is bytes. */
export interface StoredPdf {
  hash: string
  name: string
  size: number
  handwritten: boolean
}

/** `view` is a smaller picture for every browser. Place and time are removed. */
export interface StoredPhoto {
  hash: string
  size: number
  type: 'jpeg' | 'png' | 'webp' | 'heic'
  view: { hash: string; size: number }
}

export interface StoredPaper extends StoredPdf {
  photos?: StoredPhoto[]
  /** `draft/revision`, as the draft may have changed since. */
  photo_draft?: string
}

export interface AnonymousGrading {
  names_hidden: boolean
  shown?: { user_id: number; at: Date }[]
}

export interface StoredExtension {
  student_id: number
  due_at: Date
  closes_at: Date | null
}

export interface StoredScoreRules extends ScoreRules {
  version: number
  changed_by: number
  changed_at: Date
  previous: ScoreRules
}

export interface RetentionNotice {
  warned_at: Date
  delete_at: Date
  /** When the notice was given. */
  papers: number
  /** Nothing is deleted before a mail about it was accepted. */
  mailed: boolean
  /** Once begun, a deletion of `papers` papers is always completed. */
  deleting?: { since: Date; papers: number }
}

/** A rubric is larger than all other fields together. */
export type AssignmentOverview = Omit<AssignmentDoc, 'rubric'>

const storedPdfFields = {
  hash: { type: String, required: true },
  name: { type: String, required: true },
  size: { type: Number, required: true },
  handwritten: { type: Boolean, required: true },
}

const assignmentSchema = schemaOf({
  _id: field.id(Number),
  title: field.required(String),
  course_id: field.nullable(Number),
  created_by: field.required(Number),
  status: field.required<'draft' | 'published'>(String),
  published_at: field.nullable(Date),
  available_at: field.optional<Date | null>(Date, null),
  due_at: field.optional<Date | null>(Date, null),
  closes_at: field.optional<Date | null>(Date, null),
  /** The course's, which every late penalty needs. Absent: UTC. */
  time_zone: field.optional(String),
  late_rule: field.optional<LateRule>(String, 'accept'),
  extensions: field.optional<StoredExtension[]>(Mixed, []),
  /** Absent or null: everybody hands in alone. */
  groups: field.optional<GroupRule | null>(Mixed),
  /** Absent: scores count as graded. */
  score_rules: field.optional<StoredScoreRules>(Mixed),
  /** The last change that released scores have yet to follow. */
  released_scores_due: field.optional(String),
  anonymous: field.optional<AnonymousGrading>(Mixed),
  /** Mail to students. Absent or null: not requested. */
  announcement: field.optional<'wanted' | 'sent' | null>(String, null),
  clear_lms_scores: field.optional(Boolean, false),
  blank: field.custom<StoredPdf>(storedPdfFields),
  key: field.custom<StoredPdf>(storedPdfFields),
  /** Null until the first run has read blank and key. */
  rubric: field.nullable<Rubric>(Mixed),
  rubric_version: field.required(Number),
  /** Earlier ones are in `rubric_versions`. Absent in older rubrics. */
  rubric_made: field.optional<RubricOrigin>(Mixed),
  /** Absent or null: nobody has confirmed the current rubric. */
  rubric_check: field.optional<{ user_id: number; at: Date } | null>(Mixed, null),
  /** Answers extracted by this version or a later one are current. Absent: the current one. */
  extraction_version: field.optional(Number),
  active_run_id: field.nullable(Number),
  retention_notice: field.optional<RetentionNotice>(Mixed),
  work_deleted_at: field.optional(Date),
  created_at: field.required(Date),
  updated_at: field.required(Date),
})
export type AssignmentDoc = DocOf<typeof assignmentSchema>
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
