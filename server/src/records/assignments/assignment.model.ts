import type { Rubric } from '@assay/shared/rubrics.ts'
import type { LateRule } from '@assay/shared/rules/dates.ts'
import mongoose from 'mongoose'
import type { RubricOrigin } from './rubric-version.model.ts'

/** A PDF kept in the file store under its content's hash. `size` is bytes. */
export interface StoredPdf {
  hash: string
  name: string
  size: number
  handwritten: boolean
}

/** Another due and closing date for one student. */
export interface StoredExtension {
  student_id: number
  due_at: Date
  closes_at: Date | null
}

export interface AssignmentDoc {
  _id: number
  title: string
  course_id: number | null
  created_by: number
  status: 'draft' | 'published'
  published_at: Date | null
  /** None set: open from publishing on. Absent in assignments from before there were dates. */
  available_at?: Date | null
  due_at?: Date | null
  closes_at?: Date | null
  late_rule?: LateRule
  extensions?: StoredExtension[]
  /** Whether its course's students have been mailed that it is there. Absent: nobody has wanted that yet. */
  announcement?: 'wanted' | 'sent' | null
  /** Hidden with the wish that its scores go from the LMS's gradebook too. Absent or false: they stay there. */
  clear_lms_scores?: boolean
  blank: StoredPdf
  key: StoredPdf
  /** Null until the first run has read the blank and the key. */
  rubric: Rubric | null
  rubric_version: number
  /** How the rubric that stands came to be; earlier ones are in `rubric_versions`. Absent in rubrics from before there were versions. */
  rubric_made?: RubricOrigin
  /** The version since which its questions stand as they do. Absent: since the one that stands. */
  laid_by_version?: number
  /** The run that holds this assignment, so that no two grade it at once. */
  active_run_id: number | null
  created_at: Date
  updated_at: Date
}

/** As far as lists need it: a rubric is larger than all the rest. */
export type AssignmentOverview = Omit<AssignmentDoc, 'rubric'>

const storedPdfFields = {
  hash: { type: String, required: true },
  name: { type: String, required: true },
  size: { type: Number, required: true },
  handwritten: { type: Boolean, required: true },
}

const assignmentSchema = new mongoose.Schema<AssignmentDoc>(
  {
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
    extensions: { type: mongoose.Schema.Types.Mixed, default: [] },
    announcement: { type: String, default: null },
    clear_lms_scores: { type: Boolean, default: false },
    blank: storedPdfFields,
    key: storedPdfFields,
    rubric: { type: mongoose.Schema.Types.Mixed, default: null },
    rubric_version: { type: Number, required: true },
    rubric_made: { type: mongoose.Schema.Types.Mixed },
    laid_by_version: Number,
    active_run_id: { type: Number, default: null },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false },
)
assignmentSchema.index({ course_id: 1, created_at: -1, _id: -1 })
assignmentSchema.index({ created_by: 1, created_at: -1, _id: -1 })
assignmentSchema.index({ due_at: 1 })
assignmentSchema.index({ announcement: 1 })
assignmentSchema.index({ 'blank.hash': 1 })
assignmentSchema.index({ 'key.hash': 1 })

export const AssignmentModel = mongoose.model('Assignment', assignmentSchema, 'assignments')
