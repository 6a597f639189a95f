import { type CourseRetention, changeCourseRetention, getCourseRetention } from '@assay/shared/retention.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { canTeach } from '../../features/courses/course.policy.ts'
import { requireCourse, requireCourseFor } from '../../features/courses/course.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { notFound } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { announceWork, retentionOf } from './apply-retention.ts'
import { findDueWork, noticeEnd } from './due-work.ts'

export function retentionRoutes(services: Services): Router {
  const router = Router()

  async function present(course: CourseDoc, asked?: number): Promise<CourseRetention> {
    const { retention_months: school } = await services.settings.current()
    const now = services.clock.now()
    const due = await findDueWork(course._id, asked ?? retentionOf(course, school), now)
    const announced = due.flatMap(({ assignment }) => assignment.work_deletion?.delete_at.getTime() ?? [])
    const first = Math.min(noticeEnd(now).getTime(), ...announced)
    const papers = due.reduce((sum, one) => sum + one.papers, 0)
    return {
      own_months: course.retention_months ?? null,
      school_months: school,
      due: due.length === 0 ? null : { assignments: due.length, papers, delete_at: new Date(first).toISOString() },
    }
  }

  handle(router, getCourseRetention, async ({ params, query, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, services.clock.now())
    return present(course, query.months)
  })

  handle(router, changeCourseRetention, async ({ params, body, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    const now = services.clock.now()
    const changed = await CourseModel.findOneAndUpdate(
      { _id: course._id },
      { $set: { retention_months: body.months } },
      { returnDocument: 'after' },
    ).lean<CourseDoc>()
    if (!changed) throw notFound('This course does not exist.')
    const before = { retention_months: course.retention_months ?? null }
    const after = { retention_months: body.months }
    await recordAudit(actor, 'course.retention_changed', { course_id: course._id }, now, { before, after })
    const { retention_months: school } = await services.settings.current()
    // At once, so that the course's pages say what the new rule means.
    await announceWork(changed, retentionOf(changed, school), services)
    return present(changed)
  })

  return router
}
