import type { ReviewReason } from '@assay/shared/grades.ts'
import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import type { TurnedPage } from '@assay/shared/papers.ts'
import type { RegradeState } from '@assay/shared/regrades.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import type { SubmissionStatus } from '@assay/shared/submissions.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { StoredPaper } from '../assignments/assignment.model.ts'

/** A grade's summary, here so that status and grade change in one step; criteria are in `grade_details`. */
export interface GradeOfSubmission {
  id: number
  /** Incremented by every change, so that nobody overwrites what they have not seen. */
  revision: number
  /** The AI's, in percent of the criteria it scored; null where it scored none. */
  overall_score: number | null
  /** The final score, of points that count. Absent in older grades; null: no score. */
  points?: Points | null
  /** Points of criteria without a score. Absent in older grades: none. */
  unscored_points?: number
  confidence: number
  summary: string
  needs_review: boolean
  review_reasons: ReviewReason[]
  /** The teacher's, in percent. */
  manual_score_override: number | null
  /** The teacher's points by criterion. */
  decisions?: Record<string, number>
  /** The teacher's sentences for students, by criterion. */
  criterion_feedback?: Record<string, string>
  /** Who gave these points last, by criterion. Absent in older grades. */
  decided_by?: Record<string, number>
  applied_items?: number[]
  /** Points typed beyond those of the items, by criterion. */
  item_adjustments?: Record<string, number>
  /** The override is computed from these points. */
  override_from_points?: boolean
  /** The score after review in percent, not rounded, to sort by. Absent in older grades. */
  final_score?: number | null
  manual_feedback: string | null
  reviewed_at: Date | null
  reviewed_by: number | null
  /** Students see exactly this grade. */
  released: boolean
  grader: { name: string; version: string }
  rubric_version: number
  /** The class of answers it was graded with. */
  class_key: string
  run_id: number
  /** Runs that have graded this submission. */
  times_graded: number
  graded_at: Date
  /** The write that decided many papers at once. */
  written_by?: string
}

/** As found when the paper was last read. */
export interface StoredProblem {
  code: PaperProblemCode
  /** Of the file, from 1; of `missing_page` those of the blank. */
  pages: number[]
  /** Where the grader or a printed code found it. */
  message?: string
  other_submission_id?: number
  /** Of `two_students`, where the second paper seems to begin. Absent: not known. */
  second_begins_on?: number
  /** Flags the grade without holding the paper, though others like it do. */
  only_flags?: true
  /** A teacher has seen it and wants the paper graded. */
  decided?: true
}

/** A replaced paper; kept as long as the submission. */
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
  /** Shown while names are hidden: “Paper 417”. Random, never changed. Older papers get one when first hidden. */
  paper_number: field.optional(Number),
  /** Assigned by a person, to a student or to nobody, so matching does not change it. */
  student_set_by: field.optional<'teacher'>(String),
  /** Absent: a person assigned it, or it was matched before this was stored. */
  match_reason: field.optional<MatchReason>(String),
  file: field.custom<StoredPaper>({
    hash: { type: String, required: true },
    name: { type: String, required: true },
    size: { type: Number, required: true },
    handwritten: { type: Boolean, required: true },
    photos: { type: Mixed },
    photo_draft: String,
  }),
  /** The submission whose file it was part of, so that the file's name is nobody's. */
  split_from: field.optional(Number),
  /** The file's hash and the upload's student identifier, to recognise a repeated upload. */
  upload_key: field.optional(String),
  page_count: field.nullable(Number),
  /** Scanned on their side or upside down, as last read. Absent: none. */
  turned_pages: field.optional<TurnedPage[]>(Mixed),
  /** Absent: none, or it has not been read. */
  problems: field.optional<StoredProblem[]>(Mixed),
  /** Not graded until a teacher has decided on its problems. */
  held: field.optional<true>(Boolean),
  status: field.required<SubmissionStatus>(String),
  failure: field.nullable<{ code: string; message: string }>(Mixed),
  /** The last run that included it. */
  run_id: field.nullable(Number),
  grade: field.nullable<GradeOfSubmission>(Mixed),
  uploaded_by: field.required(Number),
  /** Absent: a teacher uploaded it. */
  handed_in_by: field.optional<'teacher' | 'student'>(String, 'teacher'),
  /** After the due date of an assignment that marks late papers. */
  late: field.optional(Boolean, false),
  /** A teacher has waived its late penalty. */
  late_waived: field.optional(Boolean),
  attempts: field.optional<EarlierAttempt[]>(Mixed),
  /** Of its student's last request. Absent or null: none. */
  regrade: field.optional<RegradeState | null>(String, null),
  /** The release its student was last mailed about, so that nobody is mailed twice. */
  told_release: field.optional<string | null>(String, null),
  /** When the current paper was uploaded or handed in. */
  created_at: field.required(Date),
  /** Of a file that a student handed in: when its upload began and when it was there. */
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
