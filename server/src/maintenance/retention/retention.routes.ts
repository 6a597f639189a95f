import {
  type CourseRetention,
  getCourseRetention,
  previewCourseRetention,
  previewSchoolRetention,
  setCourseRetention,
} from '@assay/shared/retention.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { canTeach, requireCourse, requireCourseFor } from '../../features/courses/course.service.ts'
import { canAdminister } from '../../features/users/admin.policy.ts'
import { allow, handle } from '../../lib/http/handle.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { queueRetentionReview } from './retention-job.ts'
import {
  dueAssignments,
  findNoticed,
  giveNotices,
  isDue,
  loadRules,
  type NoticedAssignment,
  schoolMonths,
  withdrawNotices,
} from './retention-notices.ts'
import { type CoursesOfRule, coursesByRule, deletionDate, effectiveMonths } from './retention-rule.ts'

export function retentionRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getCourseRetention, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return presentRetention(course, services)
  })

  handle(router, previewCourseRetention, async ({ params, query, actor, signal }) => {
    const now = clock.now()
    const course = await requireCourseFor(actor, params.courseId, canTeach, now)
    const months = query.months ?? (await schoolMonths(services))
    const rules = [{ months, courses: [course._id] }]
    const noticed = await findNoticed({ course_id: course._id })
    return preview(months, { rules, noticed, monthsOf: () => months, now, signal })
  })

  handle(router, previewSchoolRetention, async ({ query, actor, signal }) => {
    allow(canAdminister(actor))
    const { months } = query
    const noticed = await findNoticed()
    const monthsOf = await loadRules(noticed, months)
    return preview(months, { rules: coursesByRule(months), noticed, monthsOf, now: clock.now(), signal })
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
    // So that the screen agrees with the preview. After a crash the daily review does it.
    await withdrawNotices(await findNoticed({ course_id: course._id }), services)
    await giveNotices([course._id], effectiveMonths(changed, await schoolMonths(services)), services)
    await queueRetentionReview(services, { all: false })
    return presentRetention(changed, services)
  })
}

async function presentRetention(course: CourseDoc, services: Services): Promise<CourseRetention> {
  const school_months = await schoolMonths(services)
  const noticed = await findNoticed({ course_id: course._id })
  return {
    months: course.retention_months ?? null,
    school_months,
    effective_months: effectiveMonths(course, school_months),
    // A deletion that has begun cannot be withdrawn.
    upcoming: noticed
      .filter(({ retention_notice }) => !retention_notice.deleting)
      .map(({ _id, title, retention_notice: { papers, delete_at } }) => ({
        ...{ assignment_id: _id, title, papers },
        delete_at: delete_at.toISOString(),
      })),
  }
}

/** Somebody waits while each assignment costs some queries. */
const MOST_MS = 5_000

interface Preview {
  /** Courses with the rule that each would have; null: outside any. */
  rules: Iterable<CoursesOfRule> | AsyncIterable<CoursesOfRule>
  noticed: NoticedAssignment[]
  monthsOf: (assignment: AssignmentOverview) => number
  now: Date
  signal: AbortSignal
}

async function preview(effective_months: number, { rules, noticed, monthsOf, now, signal }: Preview) {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  const counts = { assignments: 0, papers: 0, noticed: 0, withdrawn: 0 }
  for await (const { months, courses } of rules) {
    if (stop.aborted) break
    for await (const { _id } of dueAssignments(courses, months, now, stop)) {
      counts.assignments++
      counts.papers += await SubmissionModel.countDocuments({ assignment_id: _id })
    }
  }
  for (const assignment of noticed) {
    if (stop.aborted) break
    if (assignment.retention_notice.deleting || (await isDue(assignment, monthsOf(assignment), now))) counts.noticed++
    else counts.withdrawn++
  }
  return { effective_months, ...counts, complete: !stop.aborted, delete_at: deletionDate(now).toISOString() }
}
