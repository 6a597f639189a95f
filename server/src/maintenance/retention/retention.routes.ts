import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  type RetentionPreview,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { canTeach } from '../../features/courses/course.policy.ts'
import { requireCourse, requireCourseFor } from '../../features/courses/course.service.ts'
import { handle } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { dueAssignments, isDue } from './due-assignments.ts'
import { queueRetentionReview } from './retention-job.ts'
import { findNoticed, giveNotices, schoolMonths, withdrawNotices } from './retention-notices.ts'
import { deletionDate, effectiveMonths } from './retention-rule.ts'

export function retentionRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, getCourseRetention, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return presentRetention(course, services)
  })

  handle(router, previewCourseRetention, async ({ params, query, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return previewRule(course, query.months ?? (await schoolMonths(services)), clock.now())
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

async function previewRule({ _id }: CourseDoc, months: number, now: Date): Promise<RetentionPreview> {
  let [assignments, papers, noticed, withdrawn] = [0, 0, 0, 0]
  for await (const due of dueAssignments([_id], months, now)) {
    assignments++
    papers += await SubmissionModel.countDocuments({ assignment_id: due._id })
  }
  for (const assignment of await findNoticed({ course_id: _id })) {
    if (assignment.retention_notice.deleting || (await isDue(assignment, months, now))) noticed++
    else withdrawn++
  }
  const delete_at = deletionDate(now).toISOString()
  return { effective_months: months, assignments, papers, delete_at, noticed, withdrawn }
}
