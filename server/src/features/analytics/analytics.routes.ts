import {
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
} from '@assay/shared/analytics.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import type { Actor } from '../../lib/handle.ts'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourse } from '../courses/course.service.ts'
import { countEnrolled } from '../courses/enrollment.service.ts'
import { courseOpened } from '../courses/opened-by-admin.ts'
import { analyseCourse, distributeGrades } from './course-analytics.ts'
import { questionsOf } from './question-statistics.ts'
import { performanceOf } from './student-performance.ts'

export function analyticsRoutes({ clock }: Services): Router {
  const router = Router()

  async function open(actor: Actor, courseId: number): Promise<CourseDoc> {
    const course = await requireCourse(courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    return course
  }

  handle(router, getCourseAnalytics, async ({ params, actor }) =>
    analyseCourse(await open(actor, params.courseId), clock.now()),
  )

  handle(router, getGradeDistribution, async ({ params, actor }) =>
    distributeGrades(await open(actor, params.courseId)),
  )

  handle(router, listStudentPerformance, async ({ params, query, actor, setTotal }) => {
    const course = await open(actor, params.courseId)
    setTotal(await countEnrolled(course._id))
    return performanceOf(course, query)
  })

  handle(router, listQuestionStatistics, async ({ params, query, actor }) =>
    questionsOf(await open(actor, params.courseId), query.assignment_id),
  )

  return router
}
