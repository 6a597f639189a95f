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
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourseFor } from '../courses/course.service.ts'
import { canAdminister } from '../users/admin.policy.ts'
import {
  type CourseLlmBody,
  changeCourseLlm,
  changeSystemLlm,
  removeCourseLlm,
  requireNotSetByEnvironment,
  requirePlainAddress,
  requirePublicAddress,
  requireTeacherKeysAllowed,
  resolveNewKey,
  settingsOf,
} from './change-llm-settings.ts'
import { testLlm } from './connection-test/test-llm.ts'
import { presentCourseLlm, presentSystemLlm } from './llm.present.ts'
import { createLlmClientFactory, type LlmClientFactory } from './llm-client-factory.ts'
import { type LlmConfig, type ResolvedLlm, resolveCourseLlm, resolveLlm, resolveSystemLlm } from './resolve-llm.ts'
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

function fromRequestBody(body: CourseLlmBody, before: ResolvedLlm | null, source: ResolvedLlm['source']) {
  const key = resolveNewKey(body, before)
  return { settings: settingsOf(body), source, key, keyUnreadable: false, keyEnds: null }
}

function requireOnlineLlm(model: ResolvedLlm): ResolvedLlm {
  if (model.settings.provider !== 'offline') return model
  throw new AppError('conflict', 'The built-in grader runs on this server and needs no test. Choose a provider first.')
}

/** @throws {AppError} as saving them would */
async function systemLlmToTest(body: CourseLlmBody | undefined, config: LlmConfig): Promise<ResolvedLlm> {
  const system = await resolveSystemLlm(config)
  if (!body) return requireOnlineLlm(system)
  requireNotSetByEnvironment(body, system)
  if (!system.fixed.includes('base_url')) requirePlainAddress(body)
  if (system.source !== 'environment') return requireOnlineLlm(fromRequestBody(body, system, 'system'))
  return requireOnlineLlm({ ...system, settings: settingsOf(body) })
}

/** The course's own settings as entered, else what grades it. @throws {AppError} as saving would */
async function courseLlmToTest(
  course: CourseDoc,
  body: CourseLlmBody | undefined,
  config: LlmConfig,
): Promise<ResolvedLlm> {
  if (!body) return requireOnlineLlm(await resolveLlm(course._id, config))
  await requireTeacherKeysAllowed(config)
  await requirePublicAddress(body, config)
  return requireOnlineLlm(fromRequestBody(body, await resolveCourseLlm(course._id, config), 'course'))
}
