import { createJoinCode, deleteJoinCode } from '@assay/shared/courses.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canTeach, requireCourseFor } from './course.service.ts'
import { disableJoinCode, generateJoinCode } from './join-code.ts'

export function joinCodeRoutes(router: Router, { clock }: Services): void {
  handle(router, createJoinCode, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const join_code = await generateJoinCode(course)
    // The code itself gives access to the course and must not be logged.
    await recordAudit(actor, 'course.join_code_made', { course_id: course._id }, clock.now())
    return { join_code }
  })

  handle(router, deleteJoinCode, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await disableJoinCode(course)
    await recordAudit(actor, 'course.join_code_switched_off', { course_id: course._id }, clock.now())
    return { message: 'Joining by code is turned off.' }
  })
}
