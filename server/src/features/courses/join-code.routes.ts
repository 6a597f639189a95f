import {
  makeJoinCode as makeJoinCodeEndpoint,
  switchJoinCodeOff as switchJoinCodeOffEndpoint,
} from '@assay/shared/courses.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import { byClaimedUser, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { presentOwnCourse, requireOwnCourse } from '../students/student.service.ts'
import { canTeach } from './course.policy.ts'
import { requireCourse } from './course.service.ts'
import { joinByCode, makeJoinCode, switchJoinCodeOff } from './join-code.ts'
import { courseOpened } from './opened-by-admin.ts'

/** Codes a student may get wrong: many slips of the finger, and no way through 27^8 codes. */
const WRONG_CODES = { limit: 20, minutes: 15 }

export function joinCodeRoutes({ clock }: Services): Router {
  const router = Router()
  router.post(joinCourse.path, limitCalls({ ...WRONG_CODES, key: byClaimedUser, countOnly: 404 }))

  handle(router, makeJoinCodeEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    const join_code = await makeJoinCode(course)
    // The code itself is a key to the course and has no business in a log.
    await recordAudit(actor, 'course.join_code_made', { course_id: course._id }, clock.now())
    return { join_code }
  })

  handle(router, switchJoinCodeOffEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    await switchJoinCodeOff(course)
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
