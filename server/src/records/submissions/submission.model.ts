import type { ReviewReason } from '@assay/shared/grades.ts'
import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import type { TurnedPage } from '@assay/shared/papers.ts'
import type { RegradeState } from '@assay/shared/regrades.ts'
import type { SubmissionStatus } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import type { StoredPaper } from '../assignments/assignment.model.ts'

/**
 * The summary of a grade, for lists. It is stored in the submission, so that status and grade change in one step; the criteria
 * with their evidence are in `grade_details` under the same id.
 */
export interface GradeOfSubmission {
  id: number
  /** Incremented by every change, so that nobody overwrites what they have not seen. */
  revision: number
  /** The AI's, in percent of the criteria it scored; null where it scored none. */
  overall_score: number | null
  /** The final score in points, of those that count. Absent in older grades; null: no score. */
  points?: { given: number; of: number } | null
  /** Of criteria that neither the AI nor the teacher has scored. Absent in older grades: none. */
  unscored_points?: number
  confidence: number
  summary: string
  needs_review: boolean
  review_reasons: ReviewReason[]
  /** The teacher's, in percent. */
  manual_score_override: number | null
  /** The teacher's points by criterion. Absent: none. */
  decisions?: Record<string, number>
  /** The teacher's own sentences for students, by criterion. Absent: none. */
  criterion_feedback?: Record<string, string>
  /** Who gave these points last, by criterion. Absent in older grades. */
  decided_by?: Record<string, number>
  /** The rubric items it has, of all criteria. Absent: none. */
  applied_items?: number[]
  /** Points typed beyond those of the items, by criterion. Absent: none. */
  item_adjustments?: Record<string, number>
  /** True if the override is computed from these points. Absent: it is not. */
  override_from_points?: boolean
  /** The teacher's, or else the AI's; to sort by. Absent in older grades. */
  final_score?: number | null
  manual_feedback: string | null
  reviewed_at: Date | null
  reviewed_by: number | null
  /** True while students see exactly this grade. */
  released: boolean
  grader: { name: string; version: string }
  rubric_version: number
  /** Identifies the class of answers it was graded with. */
  class_key: string
  run_id: number
  /** How many runs have graded this submission. */
  times_graded: number
  graded_at: Date
  /** Identifies the write that decided many papers at once. */
  written_by?: string
}

/** What is wrong with a paper, as found when it was last read. */
export interface StoredProblem {
  code: PaperProblemCode
  /** Of the file, from 1; of `missing_page` those of the blank. */
  pages: number[]
  /** Where it was seen by the grader, or by a printed code. */
  message?: string
  other_submission_id?: number
  /** Of `two_students`, the page the second paper seems to begin on. Absent: not known. */
  second_begins_on?: number
  /** It flags the grade and does not hold the paper, though others like it do. */
  only_flags?: true
  /** A teacher has seen it and wants the paper graded. Absent: nobody has. */
  decided?: true
}

/** A paper that was replaced by another; stored as long as the submission. */
export interface EarlierAttempt {
  file: StoredPaper
  /** Its student. Absent in older attempts: the submission's student. */
  student_id?: number | null
  handed_in_at: Date
  handed_in_by: 'teacher' | 'student'
  late: boolean
}

export interface SubmissionDoc {
  _id: number
  assignment_id: number
  course_id: number | null
  student_id: number | null
  student_identifier: string
  /**
   * What the paper is called by while names are hidden: “Paper 417”. Drawn at random, so that it tells nothing of order or name, and never
   * changed. Absent in papers from before there were numbers, until names are first hidden.
   */
  paper_number?: number
  /** A person has assigned it to a student or to nobody, so matching does not change it. Absent: nobody has. */
  student_set_by?: 'teacher'
  /** What matching assigned it to its student by. Absent: a person did, or it was matched before this was stored. */
  match_reason?: MatchReason
  file: StoredPaper
  /** The submission whose file it was part of, so that its file's name is nobody's. Absent: it was uploaded or handed in. */
  split_from?: number
  /** The file's hash and the student identifier of the upload: the same for the same upload. */
  upload_key?: string
  page_count: number | null
  /** Pages scanned on their side or upside down, as the last reading found. Absent: none. */
  turned_pages?: TurnedPage[]
  /** What was found wrong with the file. Absent: nothing, or it has not been read. */
  problems?: StoredProblem[]
  /** It is not graded until a teacher has decided on its problems. Absent: no such thing. */
  held?: true
  status: SubmissionStatus
  failure: { code: string; message: string } | null
  /** The last run that included it. */
  run_id: number | null
  grade: GradeOfSubmission | null
  uploaded_by: number
  /** Absent: a teacher uploaded it. */
  handed_in_by?: 'teacher' | 'student'
  /** Handed in after the due date of an assignment that marks late papers. */
  late?: boolean
  /** A teacher has waived its late penalty. Absent: nobody has. */
  late_waived?: boolean
  /** Oldest first. Absent: none. */
  attempts?: EarlierAttempt[]
  /** The state of its student's last regrade request. Absent or null: there was none. */
  regrade?: RegradeState | null
  /** Identifies the release its student was last mailed about, so that nobody is mailed twice about the same. */
  told_release?: string | null
  /** When the current paper was uploaded or handed in. */
  created_at: Date
  updated_at: Date
}

const mixed = { type: mongoose.Schema.Types.Mixed, default: null }

const submissionSchema = new mongoose.Schema<SubmissionDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    course_id: { type: Number, default: null },
    student_id: { type: Number, default: null },
    student_identifier: { type: String, required: true },
    paper_number: Number,
    student_set_by: String,
    match_reason: String,
    file: {
      hash: { type: String, required: true },
      name: { type: String, required: true },
      size: { type: Number, required: true },
      handwritten: { type: Boolean, required: true },
      photos: { type: mongoose.Schema.Types.Mixed },
      photo_draft: String,
    },
    split_from: Number,
    upload_key: String,
    page_count: { type: Number, default: null },
    turned_pages: { type: mongoose.Schema.Types.Mixed },
    problems: { type: mongoose.Schema.Types.Mixed },
    held: Boolean,
    status: { type: String, required: true },
    failure: mixed,
    run_id: { type: Number, default: null },
    grade: mixed,
    uploaded_by: { type: Number, required: true },
    handed_in_by: { type: String, default: 'teacher' },
    late: { type: Boolean, default: false },
    late_waived: Boolean,
    regrade: { type: String, default: null },
    told_release: { type: String, default: null },
    attempts: { type: mongoose.Schema.Types.Mixed },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false },
)
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
submissionSchema.index({ assignment_id: 1, 'grade.final_score': 1, _id: 1 })
submissionSchema.index({ assignment_id: 1, regrade: 1 })
submissionSchema.index({ assignment_id: 1, 'grade.rubric_version': 1 })
submissionSchema.index({ student_id: 1, assignment_id: 1 })
submissionSchema.index({ 'file.hash': 1 })
submissionSchema.index({ 'grade.graded_at': 1 })
submissionSchema.index({ status: 1 })
submissionSchema.index({ 'attempts.file.hash': 1 }, { sparse: true })
for (const file of ['file', 'attempts.file'])
  for (const part of ['hash', 'view.hash']) submissionSchema.index({ [`${file}.photos.${part}`]: 1 }, { sparse: true })

export const SubmissionModel = mongoose.model('Submission', submissionSchema, 'submissions')
