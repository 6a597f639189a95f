import { z } from 'zod'
import { defineEndpoint, Id, Paging, Timestamp } from './http/endpoint.ts'

export const StudentTrend = z.enum(['improving', 'stable', 'declining'])
export type StudentTrend = z.infer<typeof StudentTrend>

export const CoursePerformance = z.enum(['excellent', 'good', 'fair', 'needs_improvement'])
export type CoursePerformance = z.infer<typeof CoursePerformance>

export const Concern = z.enum(['low_average', 'missing_work', 'falling'])
export type Concern = z.infer<typeof Concern>

/** Percentages are 0–100 with one decimal, null if of nothing. */
export const CourseAnalytics = z.object({
  last_updated: Timestamp,
  course_average_grade: z.number().nullable(),
  overall_completion_rate: z.number().nullable(),
  total_graded_items: z.number().int(),
  total_enrolled_students: z.number().int(),
  total_assignments: z.number().int(),
  performance_trend: CoursePerformance.nullable(),
})
export type CourseAnalytics = z.infer<typeof CourseAnalytics>

export const GradeDistribution = z.object({
  total_grades: z.number().int(),
  grade_ranges: z.array(z.object({ range: z.string(), count: z.number().int(), percentage: z.number() })),
})
export type GradeDistribution = z.infer<typeof GradeDistribution>

export const StudentPerformance = z.object({
  student_id: Id,
  student_name: z.string(),
  completion_rate: z.number().nullable(),
  average_grade: z.number().nullable(),
  performance_trend: StudentTrend.nullable(),
  completed_assignments: z.number().int(),
  total_assignments: z.number().int(),
  last_activity: Timestamp.nullable(),
  is_struggling: z.boolean(),
  concerns: z.array(Concern),
})
export type StudentPerformance = z.infer<typeof StudentPerformance>

export const Mistake = z.object({
  criterion_text: z.string(),
  feedback: z.string(),
  count: z.number().int(),
  points_lost: z.number(),
  example_submission_id: Id,
})
export type Mistake = z.infer<typeof Mistake>

export const QuestionStatistics = z.object({
  question_id: z.string(),
  /** As printed; null once the question is gone. */
  number: z.string().nullable(),
  prompt: z.string(),
  papers: z.number().int(),
  /** Papers by tenths of the points, the lowest first; full points are in the last. */
  tenths: z.array(z.number().int()),
  /** Difficulty: the mean share of the points, 0–100. Low is hard. */
  average_share: z.number(),
  /** −1 to 1: whether who does well otherwise does well here. Null for under ten papers, or without variance. */
  discrimination: z.number().nullable(),
  mistakes: z.array(Mistake),
})
export type QuestionStatistics = z.infer<typeof QuestionStatistics>

export const AssignmentQuestions = z.object({
  assignment_id: Id,
  title: z.string(),
  papers: z.number().int(),
  tenths: z.array(z.number().int()),
  questions: z.array(QuestionStatistics),
})
export type AssignmentQuestions = z.infer<typeof AssignmentQuestions>

export const getCourseAnalytics = defineEndpoint('get', '/analytics/courses/:courseId/overall', {
  summary: 'Statistics of a course',
  reply: CourseAnalytics,
})

export const getGradeDistribution = defineEndpoint('get', '/analytics/courses/:courseId/grade_distribution', {
  summary: 'A course’s grade distribution, in tenths',
  reply: GradeDistribution,
})

export const listStudentPerformance = defineEndpoint('get', '/analytics/courses/:courseId/students', {
  summary: 'Statistics of each student of a course, in roster order',
  query: Paging,
  reply: z.array(StudentPerformance),
  hasTotalCount: true,
})

export const listQuestionStatistics = defineEndpoint('get', '/analytics/courses/:courseId/questions', {
  summary: 'Statistics of a course’s questions: difficulty, and where points are lost',
  query: z.object({ assignment_id: Id.optional() }),
  reply: z.array(AssignmentQuestions),
})
