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

/** Each makes this server call an address somebody has typed; a test on the screen takes three, a step each. */
const TESTS_AN_HOUR = 180

/** @param changed told when settings were saved or removed: whose, null for the system's */
export function modelRoutes(
  services: Services,
  changed: (courseId: number | null) => Promise<void>,
  askModel: AskModel = createAsking(services),
): Router {
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
    const system = await changeSystemModel(body, actor, services)
    await changed(null)
    return presentSystemModel(system, services)
  })

  handle(router, testSystemModel, async ({ body, actor, signal }) => {
    allow(canAdminister(actor))
    const model = await systemModelToTest(body.settings, config)
    const of = { courseId: null, courseBudget: null, only: body.only ?? null, signal }
    return testModel(model, of, askModel, services)
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
    await changed(course._id)
    return presentCourseModel(course, services)
  })

  handle(router, removeCourseModelEndpoint, async ({ params, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    await removeCourseModel(course, actor, services)
    await changed(course._id)
    return presentCourseModel(course, services)
  })

  handle(router, testCourseModel, async ({ params, body, actor, signal }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    const { courseBudget } = await resolveSystem(config)
    const model = await courseModelToTest(course, body.settings, config)
    const of = { courseId: course._id, courseBudget, only: body.only ?? null, signal }
    return testModel(model, of, askModel, services)
  })

  handle(router, getCourseModelUsage, async ({ params, query, actor }) => {
    const course = await requireCourse(params.courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    return courseUsage(course, query.month, services)
  })

  return router
}
