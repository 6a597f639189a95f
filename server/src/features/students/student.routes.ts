import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { exactPercent, percentOf, roundPercent, sumPoints } from '@assay/shared/rules/points.ts'
import {
  acceptEnrollment,
  declineEnrollment,
  getAttemptFile,
  getStudentAssignment,
  getStudentCourse,
  getStudentDashboard,
  handInPaper,
  joinCourse,
  listStudentAssignments,
} from '@assay/shared/students.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { keyByTokenSubject, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { allow, handle, RawReply } from '../../lib/http/handle.ts'
import { sendStoredPdf } from '../../lib/http/send-pdf.ts'
import { mean } from '../../lib/numbers.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { answerEnrollmentRequest, findEnrollmentRequests } from '../courses/enrollment.service.ts'
import { joinByCode } from '../courses/join-code.ts'
import { mailTeachers } from '../regrades/answer-regrade.ts'
import { createRegradeRequest, presentRegrade } from '../regrades/regrade.service.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { findNewestSubmission } from '../submissions/submission-queries.ts'
import { requireUser } from '../users/user.service.ts'
import { assertNotReleased, countingTime, handIn, requireOpenWindow } from './hand-in.ts'
import {
  findOwnWork,
  isComplete,
  type OwnCourse,
  ownAttempts,
  ownCourses,
  presentAssignmentDetails,
  presentOwnAssignment,
  presentOwnCourse,
  requireOwnAssignment,
  requireOwnCourse,
} from './student-assignment.ts'

/** Enough for typing errors, and far too few to search 27^8 codes. */
const WRONG_CODE_LIMIT = { name: 'join code', limit: 20, minutes: 15 }

export function studentRoutes(router: Router, services: Services): void {
  router.post(
    joinCourse.path,
    limitRequests(services, { ...WRONG_CODE_LIMIT, key: keyByTokenSubject, countOnlyStatus: 404 }),
  )

  handle(router, getStudentDashboard, async ({ actor }) => {
    allow('yes') // Only the caller's own courses and released grades.
    const requests = await findEnrollmentRequests(actor, services.clock.now())
    const named = await coursesById(requests.map(({ course_id }) => course_id))
    const enrollment_requests = requests.flatMap(({ course_id }) => {
      const course = named.get(course_id)
      return course ? [{ course_id, course_name: course.name }] : []
    })
    return { ...presentDashboard(await ownCourses(actor)), ...(requests.length > 0 ? { enrollment_requests } : {}) }
  })

  handle(router, joinCourse, async ({ body, actor }) => {
    allow('yes') // Anyone who has the code may join; without it no course is named.
    const course = await joinByCode(actor, body.code, services.clock.now())
    const subject = { course_id: course._id, user_id: actor.id }
    await recordAudit(actor, 'student.joined', subject, services.clock.now())
    return presentOwnCourse(await requireOwnCourse(actor, course._id))
  })

  handle(router, acceptEnrollment, async ({ params: { courseId }, actor }) => {
    allow('yes') // Only what a teacher has asked the caller.
    const now = services.clock.now()
    await answerEnrollmentRequest(actor, courseId, true, now)
    await recordAudit(actor, 'student.enrolled', { course_id: courseId, user_id: actor.id }, now)
    return presentOwnCourse(await requireOwnCourse(actor, courseId))
  })

  handle(router, declineEnrollment, async ({ params: { courseId }, actor }) => {
    allow('yes') // Only what a teacher has asked the caller.
    await answerEnrollmentRequest(actor, courseId, false, services.clock.now())
    return { message: 'You were not enrolled.' }
  })

  handle(router, getStudentCourse, async ({ params, actor }) => {
    const course = await requireOwnCourse(actor, params.courseId)
    allow('yes') // Loaded as the caller's own.
    return presentOwnCourse(course)
  })

  handle(router, listStudentAssignments, async ({ params, actor }) => {
    const { assignments } = await requireOwnCourse(actor, params.courseId)
    allow('yes') // Loaded as the caller's own.
    return assignments.map((own) => presentOwnAssignment(own, services.clock.now()))
  })

  handle(router, getStudentAssignment, async ({ params, actor }) => {
    const own = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    return presentAssignmentDetails(own, await findOwnWork(actor.id, own.assignment), actor, services.clock.now())
  })

  handle(router, handInPaper, async ({ params, actor, receive, signal }) => {
    // A large paper over a slow line takes minutes.
    const sent = services.clock.now()
    const before = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    await requireOpenWindow(before.assignment, actor.id, sent)
    await assertNotReleased(before.assignment, actor)
    const { body, files } = await receive()
    if (!files.file) throw new AppError('bad_request', 'Please select files to upload')
    // The assignment may have been unpublished meanwhile, or the student removed.
    const own = await requireOwnAssignment(actor, params.assignmentId)
    const received = services.clock.now()
    const at = countingTime(sent, received, files.file.size)
    const { late } = await requireOpenWindow(own.assignment, actor.id, at)
    const student = await requireUser(actor.id)
    const paper = {
      student,
      file: files.file,
      handwritten: body.is_handwritten,
      late,
      at,
      sending: { began: sent, ended: received },
    }
    await handIn(own.assignment, paper, services, signal)
    return presentAssignmentDetails(own, await findOwnWork(actor.id, own.assignment), actor, services.clock.now())
  })

  handle(router, getAttemptFile, async ({ params, actor }) => {
    await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const submission = await findNewestSubmission(actor.id, params.assignmentId)
    const attempt = ownAttempts(submission, actor).find(({ number }) => number === params.number)
    if (!attempt) throw notFound('This paper does not exist.')
    return new RawReply((response) => sendStoredPdf(attempt.file, services.files, response.req, response))
  })
}

function presentDashboard(courses: OwnCourse[]): ReplyOf<typeof getStudentDashboard> {
  const all = courses.flatMap(({ course, assignments }) => assignments.map((own) => ({ course, ...own })))
  const graded = all.flatMap(({ course, assignment, release }) =>
    isComplete(release) ? [{ course, assignment, release }] : [],
  )
  graded.sort((a, b) => b.release.released_at.getTime() - a.release.released_at.getTime())
  const points = graded.map(({ release }) => release.points)
  return {
    courses: courses.map(presentOwnCourse),
    recent_grades: graded.map(({ course, assignment, release }) => ({
      assignment_id: assignment._id,
      assignment_title: assignment.title,
      course_id: course._id,
      course_name: course.name,
      overall_score: percentOf(release.points),
      points: release.points,
      grade_feedback: release.feedback,
      graded_at: release.released_at.toISOString(),
    })),
    grade_summary: {
      total_assignments: all.length,
      graded_assignments: graded.length,
      average_score: points.length > 0 ? roundPercent(mean(points.map(exactPercent))) : null,
      total_points_earned: sumPoints(points.map(({ given }) => given)),
      total_points_possible: sumPoints(points.map((one) => one.of)),
    },
  }
}

export function regradeRequestRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, requestRegrade, async ({ params, body, actor }) => {
    const { assignment, course } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const { release } = await findOwnWork(actor.id, assignment)
    if (!release) throw new AppError('conflict', 'You can request a regrade once your grade is released.')
    const submission = await requireSubmission({ assignmentId: assignment._id, submissionId: release._id })
    const asked = await createRegradeRequest(actor, submission, release, assignment.rubric, body, clock.now())
    await notifySubmissionChanged(asked.submission, services)
    await mailTeachers(asked.request, assignment, course, services)
    return presentRegrade(asked.request)
  })
}
