import {
  changeCourseLlm as changeCourseModelEndpoint,
  changeSystemLlm as changeSystemModelEndpoint,
  getCourseLlm,
  getCourseLlmUsage,
  getSystemLlm,
  getSystemLlmUsage,
  removeCourseLlm as removeCourseModelEndpoint,
  testCourseLlm,
  testSystemLlm,
} from '@assay/shared/llm/llm.ts'
import type { Router } from 'express'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourseFor } from '../courses/course.service.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { changeCourseLlm, changeSystemLlm, removeCourseLlm } from './change-llm-settings.ts'
import { courseLlmToTest, systemLlmToTest } from './connection-test/llm-to-test.ts'
import { testLlm } from './connection-test/test-llm.ts'
import { presentCourseLlm, presentSystemLlm } from './llm.present.ts'
import { createLlmClientFactory, type LlmClientFactory } from './llm-client-factory.ts'
import { resolveSystemLlm } from './resolve-llm.ts'
import { courseLlmUsage, systemLlmUsage } from './usage/llm-usage.ts'

/** Each makes this server call an address a user has entered; a full test on the screen takes three. */
const MAX_TESTS_PER_HOUR = 180

/** @param changed called with the course's id, or null for the system */
export function llmRoutes(
  router: Router,
  services: Services,
  changed: (courseId: number | null) => Promise<void>,
  createClient: LlmClientFactory = createLlmClientFactory({ ...services, redis: null }),
): void {
  const { config, clock } = services
  router.post(
    [testSystemLlm.path, testCourseLlm.path],
    limitRequests(services, { name: 'connection test', limit: MAX_TESTS_PER_HOUR }),
  )

  handle(router, getSystemLlm, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentSystemLlm(await resolveSystemLlm(config), services)
  })

  handle(router, changeSystemModelEndpoint, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const system = await changeSystemLlm(body, actor, services)
    await changed(null)
    return presentSystemLlm(system, services)
  })

  handle(router, testSystemLlm, async ({ body, actor, signal }) => {
    allow(canAdminister(actor))
    const model = await systemLlmToTest(body.settings, config)
    const of = { courseId: null, courseBudget: null, only: body.only ?? null, signal }
    return testLlm(model, of, createClient, services)
  })

  handle(router, getSystemLlmUsage, async ({ query, actor }) => {
    allow(canAdminister(actor))
    return systemLlmUsage(query.month, services)
  })

  handle(router, getCourseLlm, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return presentCourseLlm(course, services)
  })

  handle(router, changeCourseModelEndpoint, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await changeCourseLlm(course, body, actor, services)
    await changed(course._id)
    return presentCourseLlm(course, services)
  })

  handle(router, removeCourseModelEndpoint, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await removeCourseLlm(course, actor, services)
    await changed(course._id)
    return presentCourseLlm(course, services)
  })

  handle(router, testCourseLlm, async ({ params, body, actor, signal }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const { courseBudget } = await resolveSystemLlm(config)
    const model = await courseLlmToTest(course, body.settings, config)
    const of = { courseId: course._id, courseBudget, only: body.only ?? null, signal }
    return testLlm(model, of, createClient, services)
  })

  handle(router, getCourseLlmUsage, async ({ params, query, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    return courseLlmUsage(course, query.month, services)
  })
}
