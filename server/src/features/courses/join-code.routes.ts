import {
  makeJoinCode as makeJoinCodeEndpoint,
  switchJoinCodeOff as switchJoinCodeOffEndpoint,
} from '@assay/shared/courses.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { Router } from 'express'
import { recordCourseAccess } from '../../audit/admin-access.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import { keyByTokenSubject, limitRequests } from '../../lib/http/rate-limit.ts'
import type { Services } from '../../services.ts'
import { presentOwnCourse, requireOwnCourse } from '../students/student.service.ts'
import { canTeach } from './course.policy.ts'
import { requireCourse } from './course.service.ts'
import { disableJoinCode, generateJoinCode, joinByCode } from './join-code.ts'

/** Codes a student may get wrong: many slips of the finger, and no way through 27^8 codes. */
const WRONG_CODE_LIMIT = { limit: 20, minutes: 15 }

export function joinCodeRoutes({ clock }: Services): Router {
  const router = Router()
  router.post(joinCourse.path, limitRequests({ ...WRONG_CODE_LIMIT, key: keyByTokenSubject, countOnly: 404 }))

  handle(router, makeJoinCodeEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await recordCourseAccess(actor, course, clock.now())
    const join_code = await generateJoinCode(course)
    // The code itself is a key to the course and has no business in a log.
    await recordAudit(actor, 'course.join_code_made', { course_id: course._id }, clock.now())
    return { join_code }
  })

  handle(router, switchJoinCodeOffEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await recordCourseAccess(actor, course, clock.now())
    await disableJoinCode(course)
    await recordAudit(actor, 'course.join_code_switched_off', { course_id: course._id }, clock.now())
    return { message: 'Nobody can join with a code any more.' }
  })

  handle(router, joinCourse, async ({ body, actor }) => {
    allow('yes') // Whoever holds the code may join; without it no course is named.
    const course = await joinByCode(actor, body.code, clock.now())
    const subject = { course_id: course._id, user_id: actor.id }
    await recordAudit(actor, 'student.joined', subject, clock.now())
    return presentOwnCourse(await requireOwnCourse(actor, course._id))
  })

  return router
}
