import { z } from 'zod'
import { assignmentDates } from './assignments.ts'
import { Course } from './courses.ts'
import { CriterionLabel } from './grades.ts'
import { defineEndpoint, FormFlag, Id, positionUpTo, Timestamp } from './http/endpoint.ts'
import { Evidence, TurnedPage } from './papers.ts'
import { PenMark } from './pen-marks.ts'
import { RegradeRequest } from './regrades.ts'
import { PointsAmended } from './rubric-amendments.ts'
import { AdjustedScore, LatePenalty } from './rules/adjust-score.ts'
import { WindowState } from './rules/dates.ts'
import { JoinCode } from './rules/join-code.ts'
import { Points } from './rules/points.ts'
import { SubmissionRow } from './submissions.ts'

export const StudentCourse = z.object({
  ...Course.pick({ id: true, name: true, course_code: true, description: true, assignment_count: true }).shape,
  graded_assignment_count: z.number().int(),
  /** In percent with one decimal; null before a grade counts. */
  average: z.object({ score: z.number(), grades: z.number().int() }).nullable(),
  enrolled_at: Timestamp,
})
export type StudentCourse = z.infer<typeof StudentCourse>

export const RecentGrade = z.object({
  assignment_id: Id,
  assignment_title: z.string(),
  course_id: Id,
  course_name: z.string(),
  overall_score: z.number(),
  points: Points,
  grade_feedback: z.string(),
  graded_at: Timestamp,
})
export type RecentGrade = z.infer<typeof RecentGrade>

/** `average_score` is percent; points are of the released grades' criteria. */
const GradeSummary = z.object({
  total_assignments: z.number().int(),
  graded_assignments: z.number().int(),
  average_score: z.number().nullable(),
  total_points_earned: z.number(),
  total_points_possible: z.number(),
})

export const EnrollmentRequest = z.object({ course_id: Id, course_name: z.string() })
export type EnrollmentRequest = z.infer<typeof EnrollmentRequest>

export const getStudentDashboard = defineEndpoint('get', '/student/dashboard', {
  summary: 'A student’s courses, latest grades and average',
  access: ['student'],
  reply: z.object({
    courses: z.array(StudentCourse),
    enrollment_requests: z.array(EnrollmentRequest).optional(),
    recent_grades: z.array(RecentGrade),
    grade_summary: GradeSummary,
  }),
})

export const getStudentCourse = defineEndpoint('get', '/student/courses/:courseId', {
  summary: 'A course for its student',
  access: ['student'],
  reply: StudentCourse,
})

export const joinCourse = defineEndpoint('post', '/student/courses/join', {
  summary: 'Join a course by its code',
  access: ['student'],
  status: 201,
  body: z.object({ code: JoinCode }),
  reply: StudentCourse,
})

export const acceptEnrollment = defineEndpoint('post', '/student/courses/:courseId/accept', {
  summary: 'Accept the enrolment in a course whose teacher entered the caller’s user ID',
  access: ['student'],
  reply: StudentCourse,
})

export const declineEnrollment = defineEndpoint('post', '/student/courses/:courseId/decline', {
  summary: 'Decline it',
  access: ['student'],
  reply: z.object({ message: z.string() }),
})

/** Only what is released: `overall_score` counts, in percent; null until every answer is graded. */
export const StudentAssignment = z.object({
  id: Id,
  title: z.string(),
  created_at: Timestamp,
  ...assignmentDates,
  late_penalty: LatePenalty.optional(),
  state: WindowState,
  late: z.boolean(),
  can_hand_in: z.boolean(),
  why_not: z.string().nullable(),
  submission_id: Id.nullable(),
  submission_date: Timestamp.nullable(),
  has_submission: z.boolean(),
  /** Released, with a score for every answer. */
  is_graded: z.boolean(),
  overall_score: z.number().nullable(),
  points: Points.nullable(),
  /** With the steps to `overall_score`; omitted where nothing adjusts it. */
  adjusted: AdjustedScore.optional(),
  unscored_points: z.number(),
  grade_feedback: z.string().nullable(),
  feedback_by: z.enum(['ai', 'teacher']).nullable(),
  reviewed_by_teacher: z.boolean(),
  released_at: Timestamp.nullable(),
  criterion_grades: z.array(
    z.object({
      id: Id,
      criterion_text: z.string(),
      score: z.number().nullable(),
      max_score: z.number(),
      score_by: z.enum(['ai', 'teacher']),
      feedback: z.string(),
      feedback_by: z.enum(['ai', 'teacher']),
    }),
  ),
})
export type StudentAssignment = z.infer<typeof StudentAssignment>

export const listStudentAssignments = defineEndpoint('get', '/student/courses/:courseId/assignments', {
  summary: 'The published assignments of a course with the student’s released grades',
  access: ['student'],
  reply: z.array(StudentAssignment),
})

/** `number` counts from 1, the first handed in. */
export const Attempt = z.object({
  number: z.number().int(),
  file_name: z.string(),
  handed_in_at: Timestamp,
  handed_in_by: z.enum(['teacher', 'student']),
  late: z.boolean(),
})
export type Attempt = z.infer<typeof Attempt>

export const StudentAssignmentDetails = StudentAssignment.extend({
  course: z.object({ id: Id, name: z.string(), course_code: z.string().nullable() }),
  paper: SubmissionRow.pick({ handed_in_by: true, said_hand_in: true }).extend({ file_name: z.string() }).nullable(),
  /** Viewers rotate these; boxes are of the rotated page. */
  turned_pages: z.array(TurnedPage),
  pen_marks: z.array(PenMark).optional(),
  earlier_attempts: z.array(Attempt),
  regrades: z.array(RegradeRequest),
  can_ask_regrade: z.boolean(),
  points_amended: z.array(PointsAmended),
  criterion_grades: z.array(
    StudentAssignment.shape.criterion_grades.element.extend({
      label: CriterionLabel.optional(),
      /** Also empty for older grades. */
      evidence: z.array(Evidence),
    }),
  ),
})
export type StudentAssignmentDetails = z.infer<typeof StudentAssignmentDetails>

const assignmentId = z.object({ assignmentId: Id })

export const getStudentAssignment = defineEndpoint('get', '/student/assignments/:assignmentId', {
  summary: 'A published assignment with the student’s paper and released grade',
  access: ['student'],
  reply: StudentAssignmentDetails,
})

export const handInPaper = defineEndpoint('post', '/student/assignments/:assignmentId/submission', {
  summary: 'Submit a paper; until the grade is released, it replaces the last one',
  access: ['student'],
  status: 201,
  body: z.object({ is_handwritten: FormFlag.default(false) }),
  files: { file: 'one' },
  reply: StudentAssignmentDetails,
})

export const getAttemptFile = defineEndpoint('get', '/student/assignments/:assignmentId/attempts/:number/file', {
  summary: 'An earlier paper of the student',
  access: ['student'],
  params: assignmentId.extend({ number: positionUpTo(10_000) }),
  reply: z.string(),
  raw: 'application/pdf',
})
