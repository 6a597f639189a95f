import type { PointsAmended } from '@assay/shared/rubric-amendments.ts'
import { criterionLabels } from '@assay/shared/rules/criterion-labels.ts'
import type { StudentAssignmentDetails } from '@assay/shared/students.ts'
import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import type { RegradeDoc } from '../../records/grading/regrade.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { findPublishedAssignment } from '../assignments/assignment.service.ts'
import { coursesById } from '../courses/course.service.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { findReleases } from '../grades/release.service.ts'
import { canRequestRegrade, findRegrades, presentRegrade } from '../regrades/regrade.service.ts'
import { findPointsAmended } from '../rubric-amendments/amendment.service.ts'
import { findNewestSubmission } from '../submissions/submission-queries.ts'
import { presentOwnAssignment } from './student.service.ts'

interface OwnAssignmentWithCourse {
  assignment: AssignmentDoc
  course: CourseDoc
}

/** Published, in a course the student is enrolled in; to anyone else it does not exist. */
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

/** After a paper is reassigned, what its earlier owner handed in and asked stays hidden from the new one. */
const belongsTo = (student: { id: number }, { student_id }: { student_id?: number | null }) =>
  student_id === undefined || student_id === student.id

export function ownAttempts(submission: SubmissionDoc | null, student: { id: number }) {
  return (submission?.attempts ?? [])
    .map((attempt, i) => ({ ...attempt, number: i + 1 }))
    .filter((attempt) => belongsTo(student, attempt))
}

interface OwnWork {
  submission: SubmissionDoc | null
  release: ReleaseDoc | null
  regrades: RegradeDoc[]
  points_amended: PointsAmended[]
}

export async function findOwnWork(
  studentId: number,
  assignment: Pick<AssignmentDoc, '_id' | 'rubric'>,
): Promise<OwnWork> {
  const [submission, releases] = await Promise.all([
    findNewestSubmission(studentId, assignment._id),
    findReleases(studentId, [assignment._id]),
  ])
  const release = releases[0] ?? null
  const [regrades, points_amended] = release
    ? await Promise.all([findRegrades(release._id), findPointsAmended(assignment, release)])
    : [[], []]
  return { submission, release, regrades, points_amended }
}

export function presentAssignmentDetails(
  { assignment, course }: OwnAssignmentWithCourse,
  { submission, release, regrades, points_amended }: OwnWork,
  student: { id: number },
  now: Date,
): StudentAssignmentDetails {
  const labels = criterionLabels(assignment.rubric?.questions)
  const own = presentOwnAssignment({ assignment, submission, release }, student, now)
  return {
    ...own,
    course: { id: course._id, name: course.name, course_code: course.course_code },
    paper: submission && {
      file_name: submission.file.name,
      handed_in_by: submission.handed_in_by ?? 'teacher',
    },
    turned_pages: submission?.turned_pages ?? [],
    earlier_attempts: ownAttempts(submission, student).map((attempt) => ({
      number: attempt.number,
      file_name: attempt.file.name,
      handed_in_at: attempt.handed_in_at.toISOString(),
      handed_in_by: attempt.handed_in_by,
      late: attempt.late,
    })),
    regrades: regrades.filter((request) => belongsTo(student, request)).map(presentRegrade),
    can_ask_regrade: canRequestRegrade(release, regrades),
    points_amended,
    criterion_grades: own.criterion_grades.map((criterion, i) => {
      const released = release?.criteria[i]
      const label = labels.get(released?.criterion_id ?? '')
      return { ...criterion, ...(label ? { label } : {}), evidence: released?.evidence ?? [] }
    }),
  }
}
