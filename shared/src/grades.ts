import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { ItemWords } from './item-words.ts'
import { Evidence } from './papers.ts'
import { EnteredPoints, Points } from './rules/points.ts'

export const PerformanceLevel = z.enum(['excellent', 'good', 'partial', 'minimal', 'none'])
export type PerformanceLevel = z.infer<typeof PerformanceLevel>

/** An answer with nothing written does get a score: 0. */
export const UnscoredReason = z.enum(['cannot_judge', 'not_found', 'unreadable', 'no_expected_answer'])
export type UnscoredReason = z.infer<typeof UnscoredReason>

export const CriterionLabel = z.object({
  number: z.string(),
  letter: z.string().optional(),
  title: z.string(),
  question: z.string().optional(),
})

const CriterionSuggestion = z.object({
  /** Null: the grader gave none, and a person has to. */
  score: z.number().nullable(),
  unscored_reason: UnscoredReason.optional(),
  llm_performance_level: PerformanceLevel.nullable(),
  llm_feedback: z.string(),
  confidence: z.number(),
  /** For the teacher only. */
  reasoning: z.string().optional(),
})

/** `score` and `max_score` are points, `confidence` is 0..1. */
export const CriterionGrade = z.object({
  id: Id,
  criterion_id: z.string(),
  question_id: z.string(),
  criterion_text: z.string(),
  label: CriterionLabel.optional(),
  ...CriterionSuggestion.shape,
  max_score: z.number(),
  /** Its points come on top of the total. */
  bonus: z.literal(true).optional(),
  /** Counts instead of the AI's `score`. */
  teacher_score: z.number().optional(),
  /** Students read it instead of the AI's. */
  teacher_feedback: z.string().optional(),
  /** Students read their words instead of the AI's. */
  items: z.array(ItemWords.extend({ id: Id })).optional(),
  evidence: z.array(Evidence),
  /** With an LLM: `rules` are the offline grader's, where certain. */
  judged_by: z.enum(['model', 'rules']).optional(),
  /** The LLM's own, where a person's points for the same answer on another paper are suggested instead. */
  own_suggestion: CriterionSuggestion.optional(),
})
export type CriterionGrade = z.infer<typeof CriterionGrade>

export const ReviewReason = z.object({
  code: z.string(),
  message: z.string(),
  question_id: z.string().optional(),
  /** If it may be about several. */
  question_ids: z.array(z.string()).optional(),
  evidence: z.array(Evidence).optional(),
})
export type ReviewReason = z.infer<typeof ReviewReason>

/**
 * `overall_score`: the AI's, in percent with one decimal, of what it scored; null below a sixth of the points. Not
 * final while there are `unscored_points`.
 */
export const Grade = z.object({
  id: Id,
  /** Raised by every change; a decision names the revision it is based on. */
  revision: z.number().int(),
  overall_score: z.number().nullable(),
  manual_score_override: z.number().nullable(),
  /** Computed from the teacher's points, and the AI's for other criteria. */
  override_from_points: z.boolean(),
  final_score_after_review: z.number().nullable(),
  points: Points.nullable(),
  /** Points of criteria that neither the AI nor the teacher has scored. */
  unscored_points: z.number(),
  manual_feedback: z.string().nullable(),
  needs_review: z.boolean(),
  review_reasons: z.array(ReviewReason),
  llm_summary_feedback: z.string(),
  confidence: z.number(),
  criterion_grades_collection: z.array(CriterionGrade),
  grader: z.object({ name: z.string(), version: z.string() }),
  graded_at: Timestamp,
  reviewed_at: Timestamp.nullable(),
  /** False if never released, or changed since. */
  released: z.boolean(),
})
export type Grade = z.infer<typeof Grade>

export const MAX_CRITERION_FEEDBACK_LENGTH = 5000

/** Null withdraws points or words; omitted fields stay. */
export const CriterionDecision = z.object({
  criterion_id: z.string().max(200),
  score: EnteredPoints.nullable().optional(),
  feedback: z.string().max(MAX_CRITERION_FEEDBACK_LENGTH, 'Feedback is too long').nullable().optional(),
})
export type CriterionDecision = z.infer<typeof CriterionDecision>

/** `overall_score` is percent; null withdraws it, and points given for criteria count. */
export const GradeOverride = z.object({
  overall_score: z
    .number({ error: 'Enter a score between 0 and 100' })
    .min(0, 'Enter a score between 0 and 100')
    .max(100, 'Enter a score between 0 and 100')
    .nullable(),
  human_review_notes: z.string().max(20_000, 'Feedback is too long').nullable(),
  needs_review: z.boolean().optional(),
  /**
   * False while the teacher goes on: reviewed only once every criterion has a person's points, and flags stay until
   * then. Omitted: reviewed.
   */
  reviewed: z.boolean().optional(),
  criteria: z.array(CriterionDecision).max(2000).optional(),
  /** A newer one is a conflict. Omitted: the last decision wins. */
  revision: z.number().int().optional(),
})
export type GradeOverride = z.infer<typeof GradeOverride>

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const overrideGrade = defineEndpoint('patch', `${submissionPath}/grades/:gradeId`, {
  summary: 'Override or approve a grade',
  body: GradeOverride,
  reply: Grade,
})

/** Of an erased account: a score under “Deleted student 4f2a”. */
export const RetainedGrade = z.object({
  id: Id,
  placeholder: z.string(),
  /** In percent, as released. */
  final_score: z.number(),
  released_at: Timestamp,
})

export const listRetainedGrades = defineEndpoint('get', '/assignments/:assignmentId/retained-grades', {
  summary: 'Released scores of students whose accounts were deleted, without their names',
  reply: z.array(RetainedGrade),
})

export const gradebookFormats = ['canvas', 'moodle', 'blackboard'] as const
export type GradebookFormat = (typeof gradebookFormats)[number]

export const exportGrades = defineEndpoint('get', '/assignments/:assignmentId/export/grades.csv', {
  summary: 'All grades of an assignment as CSV; with `format` the points that count, as that gradebook imports them',
  // A gradebook cannot say that nobody has looked at a grade, so unreleased suggestions are left out by default.
  query: z.object({ format: z.enum(gradebookFormats).optional(), suggestions: z.enum(['yes', 'no']).optional() }),
  reply: z.string(),
  raw: 'text/csv',
})
