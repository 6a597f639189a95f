import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  previewSchoolRetention,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { canTeach } from '../../features/courses/course.policy.ts'
import { requireCourse, requireCourseFor } from '../../features/courses/course.service.ts'
import { canAdminister } from '../../features/users/admin.policy.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { previewCourseRule, previewSchoolRule } from './preview-rule.ts'
import { queueRetentionReview } from './retention-job.ts'
import { findNoticed, giveNotices, schoolMonths, withdrawNotices } from './retention-notices.ts'
import { effectiveMonths } from './retention-rule.ts'

export function retentionRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, getCourseRetention, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return presentRetention(course, services)
  })

  handle(router, previewCourseRetention, async ({ params, query, actor, signal }) => {
    const now = clock.now()
    const course = await requireCourseFor(actor, params.courseId, canTeach, now)
    return previewCourseRule(course, query.months ?? (await schoolMonths(services)), { now, signal })
  })

  handle(router, previewSchoolRetention, async ({ query, actor, signal }) => {
    allow(canAdminister(actor))
    return previewSchoolRule(query.months, { now: clock.now(), signal })
  })

  handle(router, setCourseRetention, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const before = course.retention_months ?? null
    if (before !== body.months) {
      await CourseModel.updateOne(
        { _id: course._id },
        body.months === null ? { $unset: { retention_months: 1 } } : { $set: { retention_months: body.months } },
      )
      await recordAudit(actor, 'course.retention_changed', { course_id: course._id }, clock.now(), {
        before: { retention_months: before },
        after: { retention_months: body.months },
      })
    }
    const changed = await requireCourse(course._id)
    // At once, so that the screen says what the preview said. A process that dies before leaves it to the daily review.
    await withdrawNotices(await findNoticed({ course_id: course._id }), services)
    await giveNotices([course._id], effectiveMonths(changed, await schoolMonths(services)), services)
    await queueRetentionReview(services, { all: false })
    return presentRetention(changed, services)
  })

  return router
}

async function presentRetention(course: CourseDoc, services: Services): Promise<CourseRetention> {
  const school_months = await schoolMonths(services)
  const noticed = await findNoticed({ course_id: course._id })
  return {
    months: course.retention_months ?? null,
    school_months,
    effective_months: effectiveMonths(course, school_months),
    // What has begun is not to come, and cannot be taken back.
    upcoming: noticed
      .filter(({ retention_notice }) => !retention_notice.deleting)
      .map(({ _id, title, retention_notice: { papers, delete_at } }) => ({
        ...{ assignment_id: _id, title, papers },
        delete_at: delete_at.toISOString(),
      })),
  }
}
