import type { ReviewReason } from '@assay/shared/grades.ts'
import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import type { TurnedPage } from '@assay/shared/papers.ts'
import type { RegradeState } from '@assay/shared/regrades.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import type { SubmissionStatus } from '@assay/shared/submissions.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { StoredPaper } from '../assignments/assignment.model.ts'

/** Stored here so that status and grade change in one step; criteria are in `grade_details`. */
export interface GradeOfSubmission {
  id: number
  /** Raised by every change, so that nobody overwrites what they have not seen. */
  revision: number
  /** The AI's, in percent of the criteria it scored; null: none. */
  overall_score: number | null
  /** Final, of points that count. Absent in older grades; null: no score. */
  points?: Points | null
  /** Points of criteria without a score. */
  unscored_points?: number
  confidence: number
  summary: string
  needs_review: boolean
  review_reasons: ReviewReason[]
  /** Percent. */
  manual_score_override: number | null
  decisions?: Record<string, number>
  criterion_feedback?: Record<string, string>
  /** By criterion. Absent in older grades. */
  decided_by?: Record<string, number>
  applied_items?: number[]
  /** Points typed beyond the items', by criterion. */
  item_adjustments?: Record<string, number>
  /** The override is computed from these points. */
  override_from_points?: boolean
  /** After review, in percent, not rounded, for sorting. Absent in older grades. */
  final_score?: number | null
  manual_feedback: string | null
  reviewed_at: Date | null
  reviewed_by: number | null
  /** Students see exactly this grade. */
  released: boolean
  grader: { name: string; version: string }
  rubric_version: number
  class_key: string
  run_id: number
  times_graded: number
  graded_at: Date
  /** The write that decided many papers at once. */
  written_by?: string
}

export interface StoredProblem {
  code: PaperProblemCode
  /** Of the file, from 1; for `missing_page` of the blank. */
  pages: number[]
  message?: string
  other_submission_id?: number
  second_begins_on?: number
  /** The paper is not held, though others like it are. */
  only_flags?: true
  /** A teacher wants the paper graded. */
  decided?: true
}

/** Kept as long as the submission. */
export interface EarlierAttempt {
  file: StoredPaper
  /** Absent in older attempts: the submission's student. */
  student_id?: number | null
  /** The others of its group. */
  partner_ids?: number[]
  handed_in_at: Date
  handed_in_by: 'teacher' | 'student'
  late: boolean
}

export interface MemberException {
  student_id: number
  /** Added to what the paper got. */
  points: number
  reason: string
}

const submissionSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  course_id: field.nullable(Number),
  student_id: field.nullable(Number),
  /** The others in the student's group, whose paper it is as well. Absent: none. */
  partner_ids: field.optional<number[]>([Number]),
  /** The group it is the paper of. */
  group_id: field.optional(Number),
  /** Exceptions for single people of a group, kept while they are out of it. */
  member_points: field.optional<MemberException[]>(Mixed),
  student_identifier: field.required(String),
  /** “Paper 417” while names are hidden: random, never changed. Older papers get one when first hidden. */
  paper_number: field.optional(Number),
  /** Matching does not change what a person assigned, even to nobody. */
  student_set_by: field.optional<'teacher'>(String),
  match_reason: field.optional<MatchReason>(String),
  file: field.custom<StoredPaper>({
    hash: { type: String, required: true },
    name: { type: String, required: true },
    size: { type: Number, required: true },
    handwritten: { type: Boolean, required: true },
    photos: { type: Mixed },
    photo_draft: String,
  }),
  /** The submission it was split from: the file's name is nobody's. */
  split_from: field.optional(Number),
  upload_key: field.optional(String),
  page_count: field.nullable(Number),
  turned_pages: field.optional<TurnedPage[]>(Mixed),
  problems: field.optional<StoredProblem[]>(Mixed),
  /** Not graded until a teacher has decided on its problems. */
  held: field.optional<true>(Boolean),
  status: field.required<SubmissionStatus>(String),
  failure: field.nullable<{ code: string; message: string }>(Mixed),
  run_id: field.nullable(Number),
  grade: field.nullable<GradeOfSubmission>(Mixed),
  uploaded_by: field.required(Number),
  handed_in_by: field.optional<'teacher' | 'student'>(String, 'teacher'),
  /** Past the due date, where late papers are marked. */
  late: field.optional(Boolean, false),
  late_waived: field.optional(Boolean),
  attempts: field.optional<EarlierAttempt[]>(Mixed),
  regrade: field.optional<RegradeState | null>(String, null),
  told_release: field.optional<string | null>(String, null),
  /** When the current paper was handed in, as far as known, else uploaded. */
  created_at: field.required(Date),
  /** Where a teacher said when a paper they uploaded was handed in. */
  uploaded_at: field.optional(Date),
  /** They said no more than that. */
  on_time: field.optional<true>(Boolean),
  sending: field.optional<{ began: Date; ended: Date } | null>(Mixed, null),
  updated_at: field.required(Date),
})
export type SubmissionDoc = DocOf<typeof submissionSchema>
submissionSchema.index({ assignment_id: 1, _id: 1 })
submissionSchema.index(
  { assignment_id: 1, upload_key: 1 },
  { unique: true, partialFilterExpression: { upload_key: { $exists: true } } },
)
submissionSchema.index({ assignment_id: 1, student_identifier: 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, paper_number: 1, _id: 1 })
submissionSchema.index(
  { paper_number: 1, assignment_id: 1 },
  { unique: true, partialFilterExpression: { paper_number: { $gt: 0 } } },
)
submissionSchema.index({ assignment_id: 1, created_at: 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, updated_at: 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, status: 1, 'grade.needs_review': 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, student_id: 1, 'grade.released': 1 })
submissionSchema.index({ assignment_id: 1, late: 1 }, { partialFilterExpression: { late: true } })
submissionSchema.index({ assignment_id: 1, held: 1 }, { partialFilterExpression: { held: true } })
submissionSchema.index({ assignment_id: 1, 'grade.needs_review': 1, 'grade.reviewed_at': 1 })
submissionSchema.index({ assignment_id: 1, 'grade.needs_review': 1, 'grade.unscored_points': 1 })
submissionSchema.index({ assignment_id: 1, 'grade.released': 1, student_id: 1 })
submissionSchema.index({ assignment_id: 1, 'grade.released': 1, 'grade.reviewed_at': 1 })
submissionSchema.index({ assignment_id: 1, 'grade.final_score': 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, regrade: 1 })
submissionSchema.index({ assignment_id: 1, 'grade.rubric_version': 1 })
submissionSchema.index({ student_id: 1, assignment_id: 1 })
submissionSchema.index({ partner_ids: 1, assignment_id: 1 }, { sparse: true })
submissionSchema.index({ 'member_points.student_id': 1 }, { sparse: true })
submissionSchema.index({ 'file.hash': 1 })
submissionSchema.index({ 'grade.graded_at': 1 })
submissionSchema.index({ status: 1 })
submissionSchema.index({ 'attempts.file.hash': 1 }, { sparse: true })
for (const file of ['file', 'attempts.file'])
  for (const part of ['hash', 'view.hash']) submissionSchema.index({ [`${file}.photos.${part}`]: 1 }, { sparse: true })
export const SubmissionModel = defineModel('Submission', submissionSchema, 'submissions')
