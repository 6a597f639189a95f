import type { PenMark } from '@assay/shared/pen-marks.ts'
import type { PointsAmended } from '@assay/shared/rubric-amendments.ts'
import { courseTotal } from '@assay/shared/rules/course-total.ts'
import { criterionFeedback } from '@assay/shared/rules/criterion-feedback.ts'
import { criterionLabels } from '@assay/shared/rules/criterion-labels.ts'
import { type Points, percentOf, roundPercent } from '@assay/shared/rules/points.ts'
import type { StudentAssignment, StudentAssignmentDetails, StudentCourse } from '@assay/shared/students.ts'
import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc, AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc, EnrollmentDoc } from '../../records/courses/course.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import type { RegradeDoc } from '../../records/grading/regrade.model.ts'
import { saidHandIn } from '../../records/submissions/hand-in-time.ts'
import { type Owned, peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { scoreRulesOf } from '../assignments/adjusted-score.ts'
import { assignmentsOfCourse, findPublishedAssignment } from '../assignments/assignment.service.ts'
import { datesOf, handInWindowOf } from '../assignments/assignment-dates.ts'
import { coursesById, gradebookRulesOf } from '../courses/course.service.ts'
import { enrollmentsOfUser, findEnrollment, isEnrolled } from '../courses/enrollment-queries.ts'
import { findPenMarks } from '../grades/pen-marks/pen-mark.service.ts'
import { findReleases } from '../grades/release.service.ts'
import { findPointsAmended } from '../regrades/amendments/amendment.service.ts'
import { canRequestRegrade, findRegrades, presentRegrade } from '../regrades/regrade.service.ts'
import { findGroupOf, findGroupsOf, memberIds } from '../submissions/group-members.ts'
import { findNewestSubmission, submissionsOfStudent } from '../submissions/submission-queries.ts'
import { outsideWindowReason, RELEASED_MESSAGE } from './hand-in.ts'

interface OwnAssignmentWithCourse {
  assignment: AssignmentDoc
  course: CourseDoc
}

export async function requireOwnAssignment(student: Actor, assignmentId: number): Promise<OwnAssignmentWithCourse> {
  const assignment = await findPublishedAssignment(assignmentId)
  const courseId = assignment?.course_id ?? null
  if (!assignment || courseId === null || !(await isEnrolled(student, courseId))) {
    throw notFound('This assignment does not exist.')
  }
  const course = (await coursesById([courseId])).get(courseId)
  if (!course) throw notFound('This assignment does not exist.')
  return { assignment, course }
}

/** After a paper is reassigned, what its earlier owner asked stays hidden from the new one. */
const askedByOneOf = (people: Owned | null) => (request: RegradeDoc) =>
  people !== null && peopleOf(people).includes(request.student_id)

/** After a paper is reassigned, what its earlier owner handed in stays hidden from the new one. */
export function ownAttempts(submission: SubmissionDoc | null, student: { id: number }) {
  return (submission?.attempts ?? [])
    .map((attempt, i) => ({ ...attempt, number: i + 1 }))
    .filter(
      ({ student_id, partner_ids }) =>
        student_id === undefined || peopleOf({ student_id, partner_ids: partner_ids ?? [] }).includes(student.id),
    )
}

interface OwnWork {
  submission: SubmissionDoc | null
  release: ReleaseDoc | null
  /** Whose paper it is, or would be. */
  people: number[]
  regrades: RegradeDoc[]
  points_amended: PointsAmended[]
  pen_marks: PenMark[]
}

export async function findOwnWork(
  studentId: number,
  assignment: Pick<AssignmentDoc, '_id' | 'rubric'>,
): Promise<OwnWork> {
  const [submission, releases, group] = await Promise.all([
    findNewestSubmission(studentId, assignment._id),
    findReleases(studentId, [assignment._id]),
    findGroupOf(assignment._id, studentId),
  ])
  const release = releases[0] ?? null
  const [regrades, points_amended] = release
    ? await Promise.all([findRegrades(release._id), findPointsAmended(assignment, release)])
    : [[], []]
  // Given to somebody else after grading, it has no release.
  const pen_marks = release && submission?._id === release._id ? await findPenMarks(submission, 'student') : []
  const people = [studentId, ...memberIds(group)]
  return { submission, release, people, regrades, points_amended, pen_marks }
}

export function presentAssignmentDetails(
  { assignment, course }: OwnAssignmentWithCourse,
  { submission, release, people, regrades, points_amended, pen_marks }: OwnWork,
  student: { id: number },
  now: Date,
): StudentAssignmentDetails {
  const labels = criterionLabels(assignment.rubric?.questions)
  const own = presentOwnAssignment({ assignment, submission, release, people }, now)
  return {
    ...own,
    course: { id: course._id, name: course.name, course_code: course.course_code },
    paper: submission && {
      file_name: submission.file.name,
      handed_in_by: submission.handed_in_by ?? 'teacher',
      ...saidHandIn(submission),
    },
    turned_pages: submission?.turned_pages ?? [],
    ...(pen_marks.length > 0 && { pen_marks }),
    earlier_attempts: ownAttempts(submission, student).map((attempt) => ({
      number: attempt.number,
      file_name: attempt.file.name,
      handed_in_at: attempt.handed_in_at.toISOString(),
      handed_in_by: attempt.handed_in_by,
      late: attempt.late,
    })),
    regrades: regrades.filter(askedByOneOf(release)).map(presentRegrade),
    can_ask_regrade: canRequestRegrade(release, regrades),
    points_amended,
    criterion_grades: own.criterion_grades.map((criterion, i) => {
      const released = release?.criteria[i]
      const label = labels.get(released?.criterion_id ?? '')
      return { ...criterion, ...(label ? { label } : {}), evidence: released?.evidence ?? [] }
    }),
  }
}

interface OwnAssignment {
  assignment: AssignmentOverview
  submission: Pick<SubmissionDoc, '_id' | 'assignment_id' | 'created_at' | 'late'> | null
  release: ReleaseDoc | null
  people: number[]
}

export interface OwnCourse {
  course: CourseDoc
  enrollment: EnrollmentDoc
  assignments: OwnAssignment[]
}

async function attachOwnWork(studentId: number, assignments: AssignmentOverview[]): Promise<OwnAssignment[]> {
  const ids = assignments.map((assignment) => assignment._id)
  const [submissions, releases, groups] = await Promise.all([
    submissionsOfStudent(studentId, ids),
    findReleases(studentId, ids),
    findGroupsOf(studentId, ids),
  ])
  return assignments.map((assignment) => ({
    assignment,
    submission: submissions.find((submission) => submission.assignment_id === assignment._id) ?? null,
    release: releases.find((release) => release.assignment_id === assignment._id) ?? null,
    people: [studentId, ...memberIds(groups.find((group) => group.assignment_id === assignment._id) ?? null)],
  }))
}

async function loadOwnCourse(studentId: number, course: CourseDoc, enrollment: EnrollmentDoc): Promise<OwnCourse> {
  const assignments = await assignmentsOfCourse(course._id, { publishedOnly: true })
  return { course, enrollment, assignments: await attachOwnWork(studentId, assignments) }
}

export async function ownCourses(student: Actor): Promise<OwnCourse[]> {
  const enrollments = await enrollmentsOfUser(student)
  const courses = await coursesById(enrollments.map((enrollment) => enrollment.course_id))
  const opened = enrollments.map((enrollment) => {
    const course = courses.get(enrollment.course_id)
    return course ? loadOwnCourse(student.id, course, enrollment) : null
  })
  return (await Promise.all(opened)).filter((course) => course !== null)
}

export async function requireOwnCourse(student: Actor, courseId: number): Promise<OwnCourse> {
  const [enrollment, courses] = await Promise.all([findEnrollment(student, courseId), coursesById([courseId])])
  const course = courses.get(courseId)
  if (!enrollment || !course) throw notFound('This course does not exist.')
  return loadOwnCourse(student.id, course, enrollment)
}

export const isComplete = <T extends Pick<ReleaseDoc, 'points'>>(
  release: T | null,
): release is T & { points: Points } => release !== null && release.points !== null

export function presentOwnCourse({ course, enrollment, assignments }: OwnCourse): StudentCourse {
  const grades = assignments.flatMap(({ assignment, release }) =>
    isComplete(release) ? [{ assignment_id: assignment._id, points: release.points }] : [],
  )
  const { percent, counted } = courseTotal(grades, gradebookRulesOf(course))
  return {
    id: course._id,
    name: course.name,
    course_code: course.course_code,
    description: course.description,
    assignment_count: assignments.length,
    graded_assignment_count: grades.length,
    average: percent === null ? null : { score: roundPercent(percent), grades: counted.size },
    enrolled_at: enrollment.enrolled_at.toISOString(),
  }
}

export function presentOwnAssignment(
  { assignment, submission, release, people }: OwnAssignment,
  now: Date,
): StudentAssignment {
  const { available_at, late_rule } = datesOf(assignment)
  const { late_penalty } = scoreRulesOf(assignment)
  const window = handInWindowOf(assignment, people, now)
  const whyNot = release ? RELEASED_MESSAGE : outsideWindowReason(assignment, window, now)
  return {
    id: assignment._id,
    title: assignment.title,
    created_at: assignment.created_at.toISOString(),
    available_at: available_at?.toISOString() ?? null,
    due_at: window.due_at?.toISOString() ?? null,
    closes_at: window.closes_at?.toISOString() ?? null,
    late_rule,
    ...(late_penalty && late_rule === 'mark_late' && window.due_at ? { late_penalty } : {}),
    state: window.state,
    late: submission?.late ?? false,
    can_hand_in: whyNot === null,
    why_not: whyNot,
    submission_id: submission?._id ?? null,
    submission_date: submission?.created_at.toISOString() ?? null,
    has_submission: submission !== null,
    is_graded: isComplete(release),
    overall_score: isComplete(release) ? percentOf(release.points) : null,
    points: release?.points ?? null,
    ...(release?.adjusted ? { adjusted: release.adjusted } : {}),
    unscored_points: release?.unscored_points ?? 0,
    grade_feedback: release?.feedback ?? null,
    feedback_by: release?.feedback_by ?? null,
    reviewed_by_teacher: release?.reviewed_by_teacher ?? false,
    released_at: release?.released_at.toISOString() ?? null,
    criterion_grades: (release?.criteria ?? []).map(({ id, criterion_text, score, max_score, score_by, ...words }) => ({
      id,
      criterion_text,
      score,
      max_score,
      score_by: score_by ?? 'ai',
      ...feedbackOf(words),
    })),
  }
}

function feedbackOf(words: Parameters<typeof criterionFeedback>[0]) {
  const { text: feedback, by: feedback_by } = criterionFeedback(words)
  return { feedback, feedback_by }
}
