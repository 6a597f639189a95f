import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { ItemWords } from './item-words.ts'
import { Evidence } from './papers.ts'
import { EnteredPoints, Points } from './rules/points.ts'
import { teachingRoles } from './users.ts'

export const PerformanceLevel = z.enum(['excellent', 'good', 'partial', 'minimal', 'none'])
export type PerformanceLevel = z.infer<typeof PerformanceLevel>

/** Why the grader gave no score. An answer with nothing written does get one: 0. */
export const UnscoredReason = z.enum(['cannot_judge', 'not_found', 'unreadable', 'no_expected_answer'])
export type UnscoredReason = z.infer<typeof UnscoredReason>

export const CriterionLabel = z.object({
  number: z.string(),
  letter: z.string().optional(),
  title: z.string(),
  question: z.string().optional(),
})

/** A criterion's suggested grade; `score` and `max_score` are points, `confidence` is 0..1. */
export const CriterionGrade = z.object({
  id: Id,
  criterion_id: z.string(),
  question_id: z.string(),
  criterion_text: z.string(),
  /** From the rubric as it is now; absent where that no longer has the criterion. */
  label: CriterionLabel.optional(),
  /** Null: the grader gave none, and a person has to. */
  score: z.number().nullable(),
  /** Present only without a score. */
  unscored_reason: UnscoredReason.optional(),
  max_score: z.number(),
  /** Its points come on top of the total. */
  bonus: z.literal(true).optional(),
  /** The teacher's points, if they gave any: they count instead of the AI's `score`. */
  teacher_score: z.number().optional(),
  /** The teacher's own sentence for it; students read it instead of the AI's. Absent: none. */
  teacher_feedback: z.string().optional(),
  /** The rubric items that people gave it; students read their words instead of the AI's. Absent: none. */
  items: z.array(ItemWords.extend({ id: Id })).optional(),
  /** Null without a score. */
  llm_performance_level: PerformanceLevel.nullable(),
  llm_feedback: z.string(),
  confidence: z.number(),
  evidence: z.array(Evidence),
  /** For the teacher only. */
  reasoning: z.string().optional(),
  /** With an LLM: whether it judged this criterion, or the offline grader's rules, which cost nothing, were certain. */
  judged_by: z.enum(['model', 'rules']).optional(),
  /** The LLM's own, where points a person gave the very same answer on another paper are suggested instead. */
  own_suggestion: z
    .object({
      score: z.number().nullable(),
      unscored_reason: UnscoredReason.optional(),
      llm_performance_level: PerformanceLevel.nullable(),
      llm_feedback: z.string(),
      confidence: z.number(),
      reasoning: z.string().optional(),
    })
    .optional(),
})
export type CriterionGrade = z.infer<typeof CriterionGrade>

export const ReviewReason = z.object({
  code: z.string(),
  message: z.string(),
  question_id: z.string().optional(),
  question_ids: z.array(z.string()).optional(),
  evidence: z.array(Evidence).optional(),
})
export type ReviewReason = z.infer<typeof ReviewReason>

/**
 * `overall_score` is the AI's, in percent with one decimal, of the criteria it scored; null where these are worth less
 * than a sixth of the points. The final score is not final while there are `unscored_points`.
 */
export const Grade = z.object({
  id: Id,
  /** Raised by every change; a decision names the revision it is based on. */
  revision: z.number().int(),
  overall_score: z.number().nullable(),
  manual_score_override: z.number().nullable(),
  /** True if the override is computed from the teacher's points for criteria and the AI's for the others. */
  override_from_points: z.boolean(),
  final_score_after_review: z.number().nullable(),
  points: Points.nullable(),
  /** How many points are still to be graded by hand: of criteria that neither the AI nor the teacher has scored. */
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
  /** False while students cannot see it: never released, or changed since. */
  released: z.boolean(),
})
export type Grade = z.infer<typeof Grade>

/** In characters. */
export const MAX_CRITERION_FEEDBACK_LENGTH = 5000

/** The teacher's points and words for one criterion; null withdraws them, and what is omitted stays as it is. */
export const CriterionDecision = z.object({
  criterion_id: z.string().max(200),
  score: EnteredPoints.nullable().optional(),
  feedback: z.string().max(MAX_CRITERION_FEEDBACK_LENGTH, 'Feedback is too long').nullable().optional(),
})
export type CriterionDecision = z.infer<typeof CriterionDecision>

/** `overall_score` is the teacher's override in percent; null withdraws it, and points given for criteria count. */
export const GradeOverride = z.object({
  overall_score: z
    .number({ error: 'Enter a score between 0 and 100' })
    .min(0, 'Enter a score between 0 and 100')
    .max(100, 'Enter a score between 0 and 100')
    .nullable(),
  human_review_notes: z.string().max(20_000, 'Feedback is too long').nullable(),
  needs_review: z.boolean().optional(),
  /**
   * False while the teacher goes on: the paper counts as reviewed only once every criterion has a person's points, and
   * flags stay until then; `needs_review` is not looked at. If omitted, the grade is reviewed.
   */
  reviewed: z.boolean().optional(),
  criteria: z.array(CriterionDecision).max(2000).optional(),
  /** The revision the teacher saw: a conflict if there is a newer one. If omitted, the last decision wins. */
  revision: z.number().int().optional(),
})
export type GradeOverride = z.infer<typeof GradeOverride>

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const overrideGrade = defineEndpoint('patch', `${submissionPath}/grades/:gradeId`, {
  summary: 'Override or approve a grade',
  access: teachingRoles,
  body: GradeOverride,
  reply: Grade,
})

/** What is left of a deleted account's student: a released score under “Deleted student 4f2a”. */
export const RetainedGrade = z.object({
  id: Id,
  placeholder: z.string(),
  /** In percent, as it was released. */
  final_score: z.number(),
  released_at: Timestamp,
})

export const listRetainedGrades = defineEndpoint('get', '/assignments/:assignmentId/retained-grades', {
  summary: 'Released scores of students whose accounts were deleted, without their names',
  access: teachingRoles,
  reply: z.array(RetainedGrade),
})

/** Gradebooks whose headings a file of grades can have. */
export const gradebookFormats = ['canvas', 'moodle', 'blackboard'] as const
export type GradebookFormat = (typeof gradebookFormats)[number]

export const exportGrades = defineEndpoint('get', '/assignments/:assignmentId/export/grades.csv', {
  summary: 'All grades of an assignment as CSV; with `format` the points that count, as that gradebook imports them',
  access: teachingRoles,
  // A gradebook cannot say that nobody has looked at a grade, so unreleased suggestions are left out unless asked for.
  query: z.object({ format: z.enum(gradebookFormats).optional(), suggestions: z.enum(['yes', 'no']).optional() }),
  reply: z.string(),
  raw: 'text/csv',
})
