import {
  changeCourseModel as changeCourseModelEndpoint,
  changeSystemModel as changeSystemModelEndpoint,
  getCourseModel,
  getCourseModelUsage,
  getSystemModel,
  getSystemModelUsage,
  removeCourseModel as removeCourseModelEndpoint,
  testCourseModel,
  testSystemModel,
} from '@assay/shared/model.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import { byClaimedUser, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'
import { canAdminister } from '../admin/admin.policy.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourse } from '../courses/course.service.ts'
import { courseOpened } from '../courses/opened-by-admin.ts'
import { type AskModel, createAsking } from './asking.ts'
import { changeCourseModel, changeSystemModel, removeCourseModel } from './change-model.ts'
import { presentCourseModel, presentSystemModel } from './model.present.ts'
import { courseModelToTest, systemModelToTest } from './model-to-test.ts'
import { resolveSystem } from './resolve-model.ts'
import { testModel } from './test-model.ts'
import { courseUsage, systemUsage } from './usage.ts'

/** Each test asks a model three times, and makes this server call an address somebody has typed. */
const TESTS_AN_HOUR = 60

export function modelRoutes(services: Services, askModel: AskModel = createAsking(services)): Router {
  const { config, clock } = services
  const router = Router()
  router.post(
    [testSystemModel.path, testCourseModel.path],
    limitCalls({ minutes: 60, limit: TESTS_AN_HOUR, key: byClaimedUser }),
  )

  handle(router, getSystemModel, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentSystemModel(await resolveSystem(config), services)
  })

  handle(router, changeSystemModelEndpoint, async ({ body, actor }) => {
    allow(canAdminister(actor))
    return presentSystemModel(await changeSystemModel(body, actor, services), services)
  })

  handle(router, testSystemModel, async ({ body, actor }) => {
    allow(canAdminister(actor))
    return testModel(await systemModelToTest(body.settings, config), null, null, askModel, services)
  })

  handle(router, getSystemModelUsage, async ({ query, actor }) => {
    allow(canAdminister(actor))
    return systemUsage(query.month, services)
  })

  handle(router, getCourseModel, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    return presentCourseModel(course, services)
  })

  handle(router, changeCourseModelEndpoint, async ({ params, body, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    await changeCourseModel(course, body, actor, services)
    return presentCourseModel(course, services)
  })

  handle(router, removeCourseModelEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    await removeCourseModel(course, actor, services)
    return presentCourseModel(course, services)
  })

  handle(router, testCourseModel, async ({ params, body, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    const { courseBudget } = await resolveSystem(config)
    return testModel(
      await courseModelToTest(course, body.settings, config),
      course._id,
      courseBudget,
      askModel,
      services,
    )
  })

  handle(router, getCourseModelUsage, async ({ params, query, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    return courseUsage(course, query.month, services)
  })

  return router
}
