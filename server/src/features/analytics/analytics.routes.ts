import {
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
} from '@assay/shared/analytics.ts'
import { Router } from 'express'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourseFor } from '../courses/course.service.ts'
import { countEnrolled } from '../courses/enrollment-queries.ts'
import { courseAnalytics, gradeDistribution } from './course-analytics.ts'
import { courseQuestionStatistics } from './course-question-statistics.ts'
import { studentPerformances } from './student-performance.ts'

export function analyticsRoutes({ clock }: Services): Router {
  const router = Router()

  const open = (actor: Actor, courseId: number) => requireCourseFor(actor, courseId, canTeach, clock.now())

  handle(router, getCourseAnalytics, async ({ params, actor }) =>
    courseAnalytics(await open(actor, params.courseId), clock.now()),
  )

  handle(router, getGradeDistribution, async ({ params, actor }) =>
    gradeDistribution(await open(actor, params.courseId)),
  )

  handle(router, listStudentPerformance, async ({ params, query, actor, setTotal }) => {
    const course = await open(actor, params.courseId)
    setTotal(await countEnrolled(course._id))
    return studentPerformances(course, query)
  })

  handle(router, listQuestionStatistics, async ({ params, query, actor }) =>
    courseQuestionStatistics(await open(actor, params.courseId), query.assignment_id),
  )

  return router
}
